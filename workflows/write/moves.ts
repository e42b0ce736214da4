import { finalState } from '../../src/custody/objects/state';
import { operatorDelayMs } from './delays';
import {
  type EventOf,
  isOver,
  newWrite,
  type Stage,
  type Trace,
  type WriteState,
} from './writeState';

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
export function cancelled(state: WriteState, { why }: EventOf<'cancel'>): WriteState {
  const isUnsent = state.stage === 'ready' || (state.stage === 'unseen' && !state.isRefused);
  return {
    ...state,
    isCancelled: true,
    why: isUnsent ? why : state.why,
    notBeforeMs: state.stage === 'ready' ? undefined : state.notBeforeMs,
  };
}

/** Notes that the run may have sent more than it remembers. */
export function forgotten(state: WriteState, { nowMs }: EventOf<'forgot'>): WriteState {
  if (state.isForgotten) return state;
  const { bornAtMs = state.knownAtMs, stage, why = 'The run was reset.' } = state;
  // The list may not show yet what the run sent before it was reset.
  if (stage === 'doubt' || stage === 'unknown') {
    return { ...doubted(state, why, nowMs), isForgotten: true };
  }
  return { ...moved(state, 'unseen'), tries: 'ambiguous', bornAtMs, isForgotten: true };
}

/** A line as an earlier run of its part has left it. It is looked up, unless it has ended. */
export function inherited(state: WriteState, { left, nowMs }: EventOf<'inherited'>): WriteState {
  const { end, isUnsent, ...known } = left;
  const { generation, isProven, isCancelled, why } = known;
  if (isUnsent && end === undefined) {
    return newWrite({ generation, knownAtMs: nowMs, isProven, isCancelled, why });
  }
  const clean = isUnsent ? ({ tries: 'clean' } as const) : {};
  return { ...state, ...known, stage: end ?? 'unseen', ...clean };
}

/** A batch in the place of its lines, none of which was ever sent. */
export function standIn(
  lines: readonly WriteState[],
  { isLookedUp, nowMs }: { isLookedUp: boolean; nowMs: number },
): WriteState {
  const lookedUpAtMs = Math.min(...lines.map((line) => line.lookedUpAtMs ?? 0));
  const stage = isLookedUp ? 'ready' : 'unseen';
  return newWrite({ generation: 0, knownAtMs: nowMs, lookedUpAtMs, stage });
}

/**
 * A line ends as its batch has ended. A line that has failed alone can be tried again, like a
 * refused one.
 */
export function endedIn(
  state: WriteState,
  { generation, batch, failedAlone }: EventOf<'endedIn'>,
): WriteState {
  const { stage, transactionId, record, bornAtMs } = batch;
  const hadEffect = stage === 'completed' && failedAlone === undefined;
  const hadNone = stage === 'completed' || stage === 'failed';
  return {
    ...newWrite({ generation, knownAtMs: state.knownAtMs }),
    stage: hadEffect ? 'completed' : hadNone ? 'refused' : stage,
    transactionId,
    record,
    givenUp: batch.givenUp ?? state.givenUp,
    bornAtMs,
    why: hadEffect ? undefined : (failedAlone ?? batch.why),
  };
}

/**
 * A batch that the list shows pays a line, under a key of its own. The batch is given up where all
 * of its lines were.
 */
export function adopted(state: WriteState, event: EventOf<'adopted'>): WriteState {
  const { generation = state.generation, givenUp = state.givenUp } = event;
  return { ...state, generation, givenUp };
}

/** The next key of a line, after an attempt that had no effect. */
export function again(
  state: WriteState,
  { generation, isProven, nowMs }: EventOf<'again'>,
): WriteState {
  const isCancelled = isOver(state) ? undefined : state.isCancelled;
  return newWrite({ generation, knownAtMs: nowMs, isProven, isCancelled });
}

/**
 * Continues a line that was stopped. A line that was never sent goes on under its own key. A line
 * with a final record needs the next key, as a retry does.
 */
export function continued(
  state: WriteState,
  { isInBatch, nowMs }: EventOf<'continued'>,
): WriteState {
  const { generation, tries, knownAtMs, bornAtMs, transactionId, isProven } = state;
  if (transactionId !== undefined) {
    return newWrite({ generation: generation + 1, knownAtMs: nowMs, isProven: isInBatch });
  }
  if (tries === 'clean' && !isInBatch) return newWrite({ generation, knownAtMs: nowMs, isProven });
  return newWrite({ generation, knownAtMs, bornAtMs, isProven, tries: 'ambiguous' });
}
