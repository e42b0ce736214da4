import type { ReceiptAnswer } from '../../../activities/chain/receipt';
import { claimsNoEffect } from '../../../src/custody/objects/finalWord';
import type { Finding } from '../../../src/orders/progress/resolve';
import type { Depth } from '../../../src/store/index/accountIndex';
import {
  type FinalRecord,
  isAsking,
  type RecordProof,
  type Terms,
  type Trace,
  type WriteState,
} from './writeState';

/** The difference between a final word and the chain, in words. */
export function differenceIn(
  { found, faults, replaced, other }: ReceiptAnswer,
  record: FinalRecord,
): string {
  if (claimsNoEffect(record)) {
    if (found === 'success') return ['it succeeded on the chain', ...faults].join(': ');
    if (replaced === false) return other ?? openWords(record);
    return 'the chain does not show its end';
  }
  if (other !== undefined) return `the chain shows otherwise: ${other}`;
  if (found === 'absent') return 'it is in no block of the chain';
  if (found === 'reverted') return 'it was reverted on the chain';
  return `the chain shows otherwise: ${faults.join('; ')}`;
}

function openWords({ userOpHash }: FinalRecord): string {
  if (!userOpHash) return 'the chain may still include it';
  return (
    `its operation ${userOpHash} may still be carried out until the wallet carries out another ` +
    'one: make any other payment of this wallet'
  );
}

/**
 * The traces that count: traces of any generation that may have had an effect. Without one, the
 * trace of the highest generation.
 */
export function countingIn(traces: readonly Trace[]): Trace[] {
  const effective = traces.filter(({ record }) => record === undefined || !claimsNoEffect(record));
  if (effective.length > 0) return effective;
  const generation = Math.max(...traces.map((trace) => trace.generation));
  return traces.filter((trace) => trace.generation === generation).slice(0, 1);
}

/** True if a trace belongs to an earlier generation, and its record claims no effect. */
export function isSurpassed({ generation, record }: Trace, state: WriteState): boolean {
  return generation < state.generation && record !== undefined && claimsNoEffect(record);
}

/** A new generation needs proof that exactly the one before had no effect. */
export function mayStart({ generation, isProven }: WriteState): boolean {
  return generation === 0 || isProven === true;
}

/** The proof that a final record gives. Undefined for a write that the service has refused. */
export function proofOf({ record, final }: WriteState, nowMs: number): RecordProof | undefined {
  return record && { id: record.id, sinceMs: final?.sinceMs ?? nowMs, atMs: nowMs };
}

/** A look-up lies between a proof and the next attempt, and takes a while on its own. */
const proofMinMs = 30_000;

/** True once a record's proof is old. The service may have corrected it, and the chain gone on. */
export function isProofOld(
  { proof }: WriteState,
  nowMs: number,
  { lookupGraceMs }: Pick<Terms, 'lookupGraceMs'>,
): boolean {
  return proof !== undefined && nowMs - proof.atMs > Math.max(lookupGraceMs, proofMinMs);
}

/** A write whose proof is old. It is looked up, and its record has to prove it once more. */
export function unproven(state: WriteState): WriteState {
  return { ...state, stage: 'unseen', isProven: undefined, isSuspect: true };
}

export function noProofBefore({ generation }: WriteState): string {
  return (
    `generations: #${generation} of this write needs a record that proves that ` +
    `#${generation - 1} had no effect. The service has none. Start the order without that field.`
  );
}

export function twice(traces: readonly (Trace | undefined)[]): string {
  const ids = traces.flatMap((trace) => trace?.record?.id ?? []).join(', ');
  return (
    `The service has ${traces.length} records of this write under one reference (${ids}). ` +
    'It is not sent again. Find out where they come from.'
  );
}

/**
 * The depth of a look-up in the list. Without one, what the index knows is enough. The finding
 * noEffect needs all of the list. A write that nobody knows about needs it back to its birth.
 */
export function depthOf(writes: readonly WriteState[], finding?: Pick<Finding, 'finding'>): Depth {
  if (finding?.finding === 'noEffect') return { backToMs: 0 };
  const asked = writes.filter((state) => isAsking(state) || state.stage === 'givenUp');
  if (asked.length === 0) return {};
  return { backToMs: Math.min(...asked.map(bornMs)) };
}

/** No attempt of a write is older. It is not known where an earlier generation may count. */
function bornMs({ bornAtMs, knownAtMs, isSuspect }: WriteState): number {
  return isSuspect === true ? 0 : (bornAtMs ?? knownAtMs);
}
