import { proofOf } from './proof';
import { type EventOf, isOver, newWrite, type WriteState } from './writeState';

// The transitions of writes that are lines of a payout, or batches of such lines.

/** A line as an earlier run of its part has left it. It is looked up, unless it has ended. */
export function inherited(state: WriteState, { left, nowMs }: EventOf<'inherited'>): WriteState {
  const { end, isUnsent, ...known } = left;
  const { generation, isProven, isCancelled, why } = known;
  const isSuspect = suspectOf(known);
  if (isUnsent && end === undefined) {
    return newWrite({ generation, knownAtMs: nowMs, isProven, isSuspect, isCancelled, why });
  }
  const clean = isUnsent ? ({ tries: 'clean' } as const) : {};
  return { ...state, ...known, isSuspect, stage: end ?? 'unseen', ...clean };
}

/** True for an attempt while nothing proves that the one before it had no effect. */
function suspectOf({ generation, isProven }: Pick<WriteState, 'generation' | 'isProven'>) {
  return generation > 0 && isProven !== true ? true : undefined;
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
 * refused one. A line with a later key goes on, once its batch provably had no effect.
 */
export function endedIn(
  state: WriteState,
  { generation, batch, failedAlone, nowMs }: EventOf<'endedIn'>,
): WriteState {
  const { stage, transactionId, record, bornAtMs } = batch;
  const hadEffect = stage === 'completed' && failedAlone === undefined;
  const hadNone = !hadEffect && ['completed', 'failed', 'refused'].includes(stage);
  // The service has cancelled it.
  const isVoid = stage === 'stopped' && record !== undefined;
  if ((hadNone || isVoid) && generation < state.generation) {
    if (generation !== state.generation - 1) return state;
    // The chain's own proof needs no record any more.
    const proof = failedAlone === undefined ? proofOf(batch, nowMs) : undefined;
    return { ...state, isProven: true, proof };
  }
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
  const { generation = 0, givenUp = state.givenUp } = event;
  return { ...state, generation: Math.max(generation, state.generation), givenUp };
}

/**
 * The next key of a line, after an attempt that had no effect. Where a record has to prove that, a
 * list without the record proves nothing: the line is in doubt then. `batch` is the batch whose
 * record has proven it.
 */
export function again(
  state: WriteState,
  { generation, isProven, batch, nowMs }: EventOf<'again'>,
): WriteState {
  const isCancelled = isOver(state) ? undefined : state.isCancelled;
  const isSuspect = suspectOf({ generation, isProven });
  const proof = batch && proofOf(batch, nowMs);
  return newWrite({ generation, knownAtMs: nowMs, isProven, proof, isSuspect, isCancelled });
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
  const isSuspect = suspectOf(state);
  if (transactionId !== undefined) {
    return newWrite({ generation: generation + 1, knownAtMs: nowMs, isSuspect: true });
  }
  const known = { generation, isProven, isSuspect };
  if (tries === 'clean' && !isInBatch) return newWrite({ ...known, knownAtMs: nowMs });
  return newWrite({ ...known, knownAtMs, bornAtMs, tries: 'ambiguous' });
}
