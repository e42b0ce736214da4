import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { cancelled } from '../order/cancel';
import { stopOf } from '../order/custody';
import { isDoubtful, type LiveOrder, targetOf, type WriteState } from '../order/liveOrder';
import { passWhenResumed } from '../order/pauseOrder';
import { finished, show } from '../order/show';
import { continueWhenLong, standStill } from '../order/wait';
import { decide } from './doubt';
import { lookFor, note } from './lookUp';
import type { Step } from './step';

/**
 * Makes a write until the service has taken it, and returns what it said. It is looked for before
 * it is sent, in every run. Throws Refused when it was not taken, and a cancellation when it need
 * not be. While it is not known whether it was taken, it is looked for, and then a person is asked.
 */
export async function write<T>(live: LiveOrder, step: Step<T>): Promise<T> {
  return once(live, pathOf(step), async () => {
    const state = stateOf(live, step);
    let accepted = await lookBefore(live, step);
    for (let tries = 1; accepted === undefined; tries++) {
      accepted = await tryOnce(live, step, tries);
      if (accepted !== undefined) break;
      await continueWhenLong(live);
      // A reset between two tries has forgotten what was sent after the first look.
      if (isDoubtful(live)) accepted = await lookBefore(live, step);
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
  live: LiveOrder,
  step: Step<T>,
  { isFresh = false } = {},
): Promise<T | undefined> {
  const state = stateOf(live, step);
  const isAgain = isDoubtful(live);
  const path = `looked for ${pathOf(step)}${isAgain ? ' after a reset' : ''}`;
  if (isFresh) delete live.carried.done[path];
  if (state.doubt !== undefined) return undefined;
  const { after } = step;
  if (!isFresh && after !== undefined && isFirst(live, after) && isClean(live, state)) {
    return undefined;
  }
  const accepted = await once(live, path, async () => {
    const look = await lookFor(live, step, state);
    if (look.accepted !== undefined) {
      state.found = true;
      finished(live, `${step.doing}: found, it had been taken before`);
      return look.accepted;
    }
    if (look.mayStart) return undefined;
    const why = noAttemptBefore(targetOf(state.identity.parts));
    if (isClean(live, state)) throw ApplicationFailure.nonRetryable(why, 'Refused');
    state.doubt = { sinceMs: Date.now(), why, looks: 0 };
    return undefined;
  });
  // What was seen before a reset is not the last word on what was sent.
  const isOutdated = accepted === undefined && !isAgain && isDoubtful(live);
  return isOutdated ? lookBefore(live, step) : accepted;
}

async function tryOnce<T>(live: LiveOrder, step: Step<T>, tries: number): Promise<T | undefined> {
  const state = stateOf(live, step);
  if (state.doubt === undefined) await passWhenResumed(live, step.doing);
  const clean = isClean(live, state);
  if (state.doubt === undefined && live.carried.cancelAsked) {
    if (clean) throw cancelled();
    state.doubt = { sinceMs: Date.now(), why: cancelledInDoubt(step.doing), looks: 0 };
  }
  if (state.doubt !== undefined) return decide(live, step, state);
  show(live, 'Preparing', `the service to take the ${step.doing}`);
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
      await standStill(live, stop, tries);
    }
    return undefined;
  }
}

/** Says that nothing of a write is under way any more. */
export function settled(live: LiveOrder, step: { step: string; item: string }): void {
  const state = live.carried.writes[pathOf(step)];
  if (state !== undefined) state.stage = 'settled';
}

/** Whether a write was made by this very run, and no earlier one of the order is known of. */
export function isFirst(live: LiveOrder, path: string): boolean {
  const { others, writes } = live.opened.earlier;
  const isKnown = others === 'ambiguous' || Object.keys(writes).length > 0;
  return !isKnown && live.carried.writes[path]?.found !== true;
}

/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(live: LiveOrder, path: string, make: () => Promise<T>): Promise<T> {
  if (path in live.carried.done) return live.carried.done[path] as T;
  const made = await make();
  live.carried.done[path] = made;
  return made;
}

/** The write as it was first scheduled, in whichever run of this order that was. */
export function stateOf(
  live: LiveOrder,
  { step, item }: { step: string; item: string },
): WriteState {
  const path = pathOf({ step, item });
  const known = live.carried.writes[path];
  if (known !== undefined) return known;
  const { order, earlier, memory } = live.opened;
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
  live.carried.writes[path] = state;
  return state;
}

/** Whether all tries of a write are known to have had no effect, those of other runs too. */
function isClean(live: LiveOrder, state: WriteState): boolean {
  if (isDoubtful(live)) state.identity.earlierTries = 'ambiguous';
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
