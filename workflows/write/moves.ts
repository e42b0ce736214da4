import { finalState } from '../../src/custody/objects/state';
import { operatorDelayMs } from './delays';
import type { Event, Stage, Trace, WriteState } from './writeState';

const evidenceMax = 24;

export function ended(given: WriteState): WriteState {
  const { record, times, goesOnAs: generation } = given;
  if (record === undefined) return given;
  const end = finalState(record.state);
  const state = { ...given, goesOnAs: undefined };
  // The next generation was waiting for the proof that this one had no effect.
  if (end !== 'COMPLETE' && generation !== undefined) {
    const none = { accepted: undefined, transactionId: undefined, isFound: undefined };
    const unheard = { record: undefined, final: undefined };
    return moved({ ...state, ...none, ...unheard, isProven: true }, 'unseen', { generation });
  }
  if (end === 'COMPLETE') return { ...moved(state, 'completed', { times }), evidence: undefined };
  const reason = [record.errorReason, record.errorDetails].filter(Boolean).join(': ');
  const why = `Its transaction ended as ${record.state}${reason === '' ? '' : `: ${reason}`}.`;
  return moved(state, end === 'CANCELLED' && state.isCancelled ? 'stopped' : 'failed', { why });
}

/** Goes on from what the service has. */
export function found(state: WriteState, trace: Trace): WriteState {
  return moved({ ...state, ...acceptedAs(trace), isFound: true }, 'accepted');
}

function acceptedAs({ generation, accepted, record }: Trace): Partial<WriteState> {
  return { generation, accepted, transactionId: record?.id, isProven: undefined };
}

export function doubted(state: WriteState, why: string, sinceMs: number): WriteState {
  return moved({ ...state, tries: 'ambiguous' }, 'doubt', { why, sinceMs });
}

export function disputed(state: WriteState, why: string, nowMs: number): WriteState {
  const isSame = state.stage === 'disputed';
  const times = isSame ? (state.times ?? 0) + 1 : 1;
  const sinceMs = isSame ? state.sinceMs : nowMs;
  const notBeforeMs = nowMs + operatorDelayMs(times);
  // Each part of what contradicts itself may change, so all of it is read again.
  const unread = { ...noted(state, nowMs, why), record: undefined, goesOnAs: undefined };
  return moved(unread, 'disputed', { why, sinceMs, times, notBeforeMs });
}

/** Moves a write to a stage. The fields that belong to the stage before it are cleared. */
export function moved(state: WriteState, stage: Stage, own: Partial<WriteState> = {}): WriteState {
  const fresh = { sinceMs: undefined, times: undefined, notBeforeMs: undefined, why: undefined };
  return { ...state, ...fresh, ...own, stage };
}

/** Adds a line to the evidence, with its time. Of many, the first and the last stay. */
export function noted(state: WriteState, nowMs: number, words: string): WriteState {
  const evidence = [...(state.evidence ?? []), `${new Date(nowMs).toISOString()} ${words}`];
  if (evidence.length > evidenceMax) evidence.splice(evidenceMax / 2, 1);
  return { ...state, evidence };
}

/** Notes that the write is to be cancelled. */
export function cancelled(
  state: WriteState,
  { why }: Extract<Event, { kind: 'cancel' }>,
): WriteState {
  const isUnsent = state.stage === 'ready' || (state.stage === 'unseen' && !state.isRefused);
  return {
    ...state,
    isCancelled: true,
    why: isUnsent ? why : state.why,
    notBeforeMs: state.stage === 'ready' ? undefined : state.notBeforeMs,
  };
}

/** Notes that the run may have sent more than it remembers. */
export function forgotten(
  state: WriteState,
  { nowMs }: Extract<Event, { kind: 'forgot' }>,
): WriteState {
  if (state.isForgotten) return state;
  const { bornAtMs = state.knownAtMs, stage, why = 'The run was reset.' } = state;
  // The list may not show yet what the run sent before it was reset.
  if (stage === 'doubt' || stage === 'unknown') {
    return { ...doubted(state, why, nowMs), isForgotten: true };
  }
  return { ...moved(state, 'unseen'), tries: 'ambiguous', bornAtMs, isForgotten: true };
}
