import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import type { WriteIdentity } from '../activities/attempt';
import { type Stop, stopOf } from './custody';
import { type Run, show, standStill } from './run';

/** A write of a workflow: its step, and the item within the step. */
export type Step = { step: string; item: string; doing: string };

/**
 * Makes a write until the service has taken it, and returns what it said. The body and the key are
 * frozen here, before the first try. Throws Refused when nothing was taken. An outcome that cannot
 * be known parks the order as Unknown; waking it tries once more under the same key.
 */
export async function write<T>(
  run: Run,
  step: Step,
  send: (identity: WriteIdentity) => Promise<T>,
): Promise<T> {
  return once(run, `${step.step}/${step.item}`, async () => {
    const identity = identify(run, step);
    for (let look = 1; ; look++) {
      await stopInTime(run, step, identity);
      run.inFlight = true;
      show(run, run.progress.status, `the service to take the ${step.doing}`);
      try {
        const accepted = await CancellationScope.nonCancellable(() => send(identity));
        run.inFlight = false;
        return accepted;
      } catch (error) {
        const stop = stopOf(error);
        if (stop === undefined || stop.type === 'Refused') throw error;
        await waitForHelp(run, { stop, identity, look });
      }
    }
  });
}

/** Does something once in the life of an order, however often its workflow continues as new. */
export async function once<T>(run: Run, path: string, make: () => Promise<T>): Promise<T> {
  if (path in run.carried.done) return run.carried.done[path] as T;
  const made = await make();
  run.carried.done[path] = made;
  return made;
}

function identify(run: Run, step: Step): WriteIdentity {
  const { order, earlierTries, bornAtMs } = run.opened;
  return {
    parts: {
      workflowId: workflowInfo().workflowId,
      step: step.step,
      item: step.item,
      generation: order.generations[`${step.step}/${step.item}`] ?? 0,
    },
    earlierTries,
    bornAtMs: earlierTries === 'clean' ? Date.now() : bornAtMs,
  };
}

/** While nothing can have been sent, a cancelled order stops, and one past its date is refused. */
async function stopInTime(run: Run, step: Step, identity: WriteIdentity): Promise<void> {
  const sentNothing = identity.earlierTries === 'clean';
  if (sentNothing && CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure(`Cancelled before the ${step.doing} was sent.`);
  }
  const { validUntil } = run.opened.order;
  if (validUntil === undefined || Date.now() <= Date.parse(validUntil)) return;
  const message = `validUntil: ${validUntil} has passed, so the ${step.doing} is not sent.`;
  if (sentNothing) {
    const details = [{ ambiguous: false }];
    throw ApplicationFailure.create({ message, type: 'Refused', nonRetryable: true, details });
  }
  const stop: Stop = { type: 'Unknown', message, facts: { ambiguous: true } };
  for (let look = 1; ; look++) await standStill(run, stop, look);
}

async function waitForHelp(
  run: Run,
  wait: { stop: Stop; identity: WriteIdentity; look: number },
): Promise<void> {
  const { stop, identity, look } = wait;
  if (stop.facts.ambiguous) {
    identity.earlierTries = 'ambiguous';
    await CancellationScope.nonCancellable(() => standStill(run, stop, look));
  } else {
    run.inFlight = false;
    await standStill(run, stop, look);
  }
  await continueWhenLong(run);
}

/** Hands the order on to a fresh run before its history grows too long; no step is done again. */
export async function continueWhenLong(run: Run): Promise<void> {
  if (!workflowInfo().continueAsNewSuggested) return;
  await condition(allHandlersFinished);
  run.carried.progress = run.progress.done;
  await continueAsNew(run.order, run.carried);
}
