import {
  type ChainShows,
  claimsNoEffect,
  shownBy,
  verdictOn,
} from '../../src/custody/objects/finalWord';
import { settleDelayMs } from './delays';
import { disputed, ended } from './moves';
import { differenceIn } from './proof';
import type { Event, FinalHeard, FinalRecord, Terms, WriteState } from './writeState';

/** The final word of a record. It is as old as the first record that has said the same. */
export function heardFinal({ final }: WriteState, record: FinalRecord, nowMs: number): FinalHeard {
  const isNegative = claimsNoEffect(record);
  if (final?.claimsNoEffect === isNegative) return final;
  return { claimsNoEffect: isNegative, sinceMs: nowMs };
}

/** Compares a final record with what the chain shows of it. */
export function confirmed(
  state: WriteState,
  { receipt, nowMs }: Receipt,
  terms: Terms,
): WriteState {
  const { record, final } = state;
  if (record === undefined || final === undefined) return state;
  const { txHash = record.txHash, head } = receipt;
  const shows = shownBy(receipt, record);
  const named: WriteState = {
    ...state,
    record: shows === 'effect' && !final.claimsNoEffect ? { ...record, txHash } : record,
    final: { ...final, atBlock: final.atBlock ?? head },
    paidIn: shows === 'effect' ? txHash : undefined,
  };
  const where = txHash === undefined ? '' : ` (${txHash})`;
  const difference = differenceIn(receipt, record);
  const words = `The service calls it ${record.state}, but ${difference}${where}.`;
  return judged(named, { shows, words, nowMs }, terms);
}

type Receipt = Extract<Event, { kind: 'receipt' }>;
type Shown = { shows: ChainShows; words?: string; nowMs: number };

/** Applies the verdict on a final word. */
export function judged(
  state: WriteState,
  { shows, words = '', nowMs }: Shown,
  terms: Terms,
): WriteState {
  const { record, final, stage, goesOnAs } = state;
  if (record === undefined || final === undefined) return state;
  const graceMs = final.sinceMs + terms.lookupGraceMs;
  const mayTell = goesOnAs === undefined && terms.mustProve !== true;
  const verdict = verdictOn(record, { shows, isOld: nowMs >= graceMs, mayTell });
  if (verdict === 'stands' || verdict === 'told') return ended(state);
  if (verdict === 'contradicted' || stage === 'disputed') return disputed(state, words, nowMs);
  const times = (state.times ?? 0) + 1;
  const untilMs = Math.max(graceMs, nowMs);
  const notBeforeMs = Math.min(nowMs + settleDelayMs(times), untilMs);
  if (!final.claimsNoEffect) return { ...state, why: words, times, notBeforeMs };
  // A correction of the service is seen as well, so that the record is read again, too.
  const why = waitWords(record, graceMs);
  return { ...state, record: undefined, why, times, notBeforeMs };
}

function waitWords({ state, txHash }: FinalRecord, graceMs: number): string {
  const named = txHash === undefined ? 'names no transaction' : `names ${txHash}`;
  const until = new Date(graceMs).toISOString();
  return `the service calls it ${state} and ${named}, which proves nothing until ${until}`;
}
