import { ApplicationFailure } from '@temporalio/workflow';
import { cancelled } from '../order/cancel';
import { stopOf } from '../order/custody';
import type { LiveOrder } from '../order/liveOrder';
import { passWhenResumed } from '../order/pauseOrder';
import { show } from '../order/show';
import { continueWhenLong, standStill } from '../order/wait';
import { remember } from './ask';
import { apply, happened, identity, once, pathOf, stateOf } from './happened';
import { lookUp } from './lookUp';
import { poll } from './settle';
import { answerOf, type Step, type Transacting, transactionIdIn } from './step';
import { wishOf } from './writeState';

/**
 * Makes a write until the service has accepted it, and returns the service's answer. In every run
 * it is looked up before it is sent. Throws Refused if it was not accepted, and a cancellation if
 * it was stopped. While it is not known if it was accepted, it is looked up, and then a person is
 * asked.
 */
export async function write<T>(live: LiveOrder, step: Step<T>): Promise<T> {
  return once(live, pathOf(step), async () => {
    for (;;) {
      await turn(live, step);
      const accepted = acceptedOf(live, step);
      if (accepted !== undefined) return accepted;
      await continueWhenLong(live);
    }
  });
}

/**
 * Looks a write up before its first attempt, until it is certain whether the service has it.
 * Returns the service's answer if an earlier run of the order has sent it.
 */
export async function lookBefore<T>(
  live: LiveOrder,
  step: Step<T>,
  { isFresh = false } = {},
): Promise<T | undefined> {
  if (isFresh) apply(live, step, { kind: 'lookAgain' });
  const isOpen = (): boolean => wishOf(stateOf(live, step)).want === 'lookUp';
  while (isOpen()) {
    await turn(live, step);
    if (isOpen()) await continueWhenLong(live);
  }
  return stateOf(live, step).isFound ? acceptedOf(live, step) : undefined;
}

/** The service's answer. The cast is safe: a step keeps only its own answers and traces. */
function acceptedOf<T>(live: LiveOrder, step: Step<T>): T | undefined {
  return stateOf(live, step).accepted as T | undefined;
}

/** One turn of a write: does what it wants. An end without its effect is thrown. */
async function turn<T>(live: LiveOrder, step: Step<T> | (Step<T> & Transacting)): Promise<void> {
  const { want } = wishOf(stateOf(live, step));
  if (want === 'lookUp') await lookUp(live, step);
  else if (want === 'send') await send(live, step);
  while ('effect' in step && stateOf(live, step).goesOnAs !== undefined) {
    await poll(live, step);
    remember(live, step, stateOf(live, step));
    await continueWhenLong(live);
  }
  const { stage, why = '' } = stateOf(live, step);
  if (stage === 'refused') throw ApplicationFailure.nonRetryable(why, 'Refused');
  if (stage === 'stopped') throw cancelled();
  if (stage === 'givenUp') {
    throw ApplicationFailure.nonRetryable(`The ${step.doing} is given up. ${why}`, 'Failed');
  }
}

async function send<T>(live: LiveOrder, step: Step<T>): Promise<void> {
  await passWhenResumed(live, step.doing);
  happened(live, step, { kind: 'sending' });
  const state = stateOf(live, step);
  if (state.stage !== 'sending') return;
  // Others may approve while it is tried again.
  if (live.progress.status !== 'NeedsApproval') {
    show(live, 'Preparing', `the service to accept the ${step.doing}`);
  }
  try {
    const accepted = await step.send(identity(live, step));
    const transactionId = transactionIdIn(accepted);
    happened(live, step, {
      kind: 'answered',
      answer: { kind: 'accepted', accepted, transactionId },
    });
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    const after = happened(live, step, { kind: 'answered', answer: answerOf(stop) });
    if (after.stage === 'ready') await standStill(live, stop, after.times ?? 1);
  }
}
