import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { WriteIdentity } from '../activities/attempt';
import { cancelled } from './cancel';
import { stopOf } from './custody';
import { decide } from './doubt';
import { lookFor, note, type Sought } from './lookUp';
import { passWhenResumed } from './pauseOrder';
import { isDoubtful, type Run, targetOf, type WriteState } from './run';
import { finished, show } from './show';
import { continueWhenLong, standStill } from './wait';

/** A write of a workflow: its step, the item within the step, and what it does. */
export type Step<T> = Sought<T> & {
  step: string;
  item: string;
  /** The write that it builds upon, by its path: before that was made, this one cannot have been. */
  after?: string | undefined;
  /** One try. The whole request is in it, frozen before the first one. */
  send: (identity: WriteIdentity) => Promise<T>;
};

/**
 * Makes a write until the service has taken it, and returns what it said. It is looked for before
 * it is sent, in every run. Throws Refused when it was not taken, and a cancellation when it need
 * not be. While it is not known whether it was taken, it is looked for, and then a person is asked.
 */
export async function write<T>(run: Run, step: Step<T>): Promise<T> {
  return once(run, pathOf(step), async () => {
    const state = stateOf(run, step);
    let accepted = await lookBefore(run, step);
    for (let tries = 1; accepted === undefined; tries++) {
      accepted = await tryOnce(run, step, tries);
      if (accepted !== undefined) break;
      await continueWhenLong(run);
      // A reset between two tries has forgotten what was sent after the first look.
      if (isDoubtful(run)) accepted = await lookBefore(run, step);
    }
    state.stage = 'accepted';
    delete state.doubt;
    return accepted;
  });
}

/**
 * Whether a write was taken before, by this order in whichever run: the look that comes before its
 * first try, and is not made twice unless a fresh one is wanted. What builds upon something that
 * this very run has made need not be looked for.
 */
export async function lookBefore<T>(
  run: Run,
  step: Step<T>,
  { isFresh = false } = {},
): Promise<T | undefined> {
  const state = stateOf(run, step);
  const isAgain = isDoubtful(run);
  const path = `looked for ${pathOf(step)}${isAgain ? ' after a reset' : ''}`;
  if (isFresh) delete run.carried.done[path];
  if (state.doubt !== undefined) return undefined;
  const { after } = step;
  if (!isFresh && after !== undefined && isFirst(run, after) && isClean(run, state)) {
    return undefined;
  }
  const accepted = await once(run, path, async () => {
    const look = await lookFor(run, step, state);
    if (look.accepted !== undefined) {
      state.found = true;
      finished(run, `${step.doing}: found, it had been taken before`);
      return look.accepted;
    }
    if (look.mayStart) return undefined;
    const why = noAttemptBefore(targetOf(state.identity.parts));
    if (isClean(run, state)) throw ApplicationFailure.nonRetryable(why, 'Refused');
    state.doubt = { sinceMs: Date.now(), why, looks: 0 };
    return undefined;
  });
  // What was seen before a reset is not the last word on what was sent.
  const isOutdated = accepted === undefined && !isAgain && isDoubtful(run);
  return isOutdated ? lookBefore(run, step) : accepted;
}

async function tryOnce<T>(run: Run, step: Step<T>, tries: number): Promise<T | undefined> {
  const state = stateOf(run, step);
  if (state.doubt === undefined) await passWhenResumed(run, step.doing);
  const clean = isClean(run, state);
  if (state.doubt === undefined && run.carried.cancelAsked) {
    if (clean) throw cancelled();
    state.doubt = { sinceMs: Date.now(), why: cancelledInDoubt(step.doing), looks: 0 };
  }
  if (state.doubt !== undefined) return decide(run, step, state);
  show(run, 'Preparing', `the service to take the ${step.doing}`);
  try {
    return await step.send({ ...state.identity, runId: workflowInfo().runId });
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined || stop.type === 'Refused') throw error;
    if (stop.facts.ambiguous) state.identity.earlierTries = 'ambiguous';
    note(state, `try ${tries}: ${stop.message}`);
    if (stop.type === 'Unknown') {
      state.doubt = { sinceMs: Date.now(), why: stop.message, looks: 0 };
    } else {
      await standStill(run, stop, tries);
    }
    return undefined;
  }
}

/** Says that nothing of a write is under way any more. */
export function settled(run: Run, step: { step: string; item: string }): void {
  const state = run.carried.writes[pathOf(step)];
  if (state !== undefined) state.stage = 'settled';
}

/** Whether a write was made by this very run, and no earlier one of the order is known of. */
export function isFirst(run: Run, path: string): boolean {
  const { others, writes } = run.opened.earlier;
  const isKnown = others === 'ambiguous' || Object.keys(writes).length > 0;
  return !isKnown && run.carried.writes[path]?.found !== true;
}

/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(run: Run, path: string, make: () => Promise<T>): Promise<T> {
  if (path in run.carried.done) return run.carried.done[path] as T;
  const made = await make();
  run.carried.done[path] = made;
  return made;
}

/** The write as it was first scheduled, in whichever run of this order that was. */
export function stateOf(run: Run, { step, item }: { step: string; item: string }): WriteState {
  const path = pathOf({ step, item });
  const known = run.carried.writes[path];
  if (known !== undefined) return known;
  const { order, earlier, memory } = run.opened;
  const generation = order.generations[path] ?? 0;
  const parts = { workflowId: workflowInfo().workflowId, step, item, generation };
  const tries =
    earlier.others === 'ambiguous' ? 'ambiguous' : (earlier.writes[targetOf(parts)] ?? 'clean');
  const state: WriteState = {
    stage: 'open',
    evidence: [],
    identity: {
      parts,
      earlierTries: tries,
      bornAtMs: tries === 'clean' ? Date.now() : earlier.bornAtMs,
      baseUrl: memory.baseUrl,
      validUntil: order.validUntil,
    },
  };
  run.carried.writes[path] = state;
  return state;
}

/** Whether all tries of a write are known to have had no effect, those of other runs too. */
function isClean(run: Run, state: WriteState): boolean {
  if (isDoubtful(run)) state.identity.earlierTries = 'ambiguous';
  return state.identity.earlierTries === 'clean';
}

function pathOf({ step, item }: { step: string; item: string }): string {
  return `${step}/${item}`;
}

function cancelledInDoubt(doing: string): string {
  return `The order is to be cancelled, and it is not known whether the ${doing} was sent.`;
}

function noAttemptBefore(target: string): string {
  const [path] = target.split('#');
  return (
    `generations.${path}: ${target} is a new attempt at a write of which the service has no ` +
    'record, so that nothing shows that the earlier one came to nothing. Start the order without it.'
  );
}
