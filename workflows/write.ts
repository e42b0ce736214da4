import { workflowInfo } from '@temporalio/workflow';
import type { WriteIdentity } from '../activities/attempt';
import { stopWhenAsked } from './cancel';
import { stopOf } from './custody';
import type { Run, WriteState } from './run';
import { show } from './show';
import { continueWhenLong, standStill } from './wait';

/** A write of a workflow: its step, the item within the step, and what it does in words. */
export type Step = { step: string; item: string; doing: string };

/**
 * Makes a write until the service has taken it, and returns what it said. The body and the key are
 * frozen here, before the first try. Throws Refused when it was not taken. An outcome that cannot
 * be known parks the order as Unknown; waking it tries once more under the same key.
 */
export async function write<T>(
  run: Run,
  step: Step,
  send: (identity: WriteIdentity) => Promise<T>,
): Promise<T> {
  const path = pathOf(step);
  return once(run, path, async () => {
    const state = stateOf(run, path, step);
    for (let look = 1; ; look++) {
      stopWhenAsked(run);
      show(run, 'Preparing', `the service to take the ${step.doing}`);
      run.sending = true;
      try {
        const accepted = await send(state.identity);
        state.stage = 'accepted';
        return accepted;
      } catch (error) {
        const stop = stopOf(error);
        if (stop === undefined || stop.type === 'Refused') throw error;
        if (stop.facts.ambiguous) state.identity.earlierTries = 'ambiguous';
        run.sending = false;
        await standStill(run, stop, look);
      } finally {
        run.sending = false;
      }
      await continueWhenLong(run);
    }
  });
}

/** Says that nothing of a write is under way any more. */
export function settled(run: Run, step: Step): void {
  const state = run.carried.writes[pathOf(step)];
  if (state !== undefined) state.stage = 'settled';
}

/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(run: Run, path: string, make: () => Promise<T>): Promise<T> {
  if (path in run.carried.done) return run.carried.done[path] as T;
  const made = await make();
  run.carried.done[path] = made;
  return made;
}

function pathOf({ step, item }: Step): string {
  return `${step}/${item}`;
}

/** The write as it was first scheduled, in whichever run of this order that was. */
function stateOf(run: Run, path: string, { step, item }: Step): WriteState {
  const known = run.carried.writes[path];
  if (known !== undefined) {
    if (run.carried.doubtful) known.identity.earlierTries = 'ambiguous';
    return known;
  }
  const { order, earlier, memory } = run.opened;
  const isDoubtful = run.carried.doubtful || earlier.others === 'ambiguous';
  const tries = isDoubtful ? 'ambiguous' : (earlier.writes[path] ?? 'clean');
  const state: WriteState = {
    stage: 'open',
    identity: {
      parts: { workflowId: workflowInfo().workflowId, step, item, generation: 0 },
      earlierTries: tries,
      bornAtMs: tries === 'clean' ? Date.now() : earlier.bornAtMs,
      baseUrl: memory.baseUrl,
      validUntil: order.validUntil,
    },
  };
  run.carried.writes[path] = state;
  return state;
}
