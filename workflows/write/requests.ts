import { stopOf, writes } from '../order/custody';
import { type LiveOrder, targetOf } from '../order/liveOrder';
import { finished, stumbled } from '../order/show';
import { identity } from './happened';

type Named = { step: string; item: string; doing: string };

/**
 * Asks the service to cancel an accepted transaction, if the order is to be cancelled. Settling
 * shows how the transaction ends.
 */
export async function cancelWhenAsked(live: LiveOrder, step: Named, id: string): Promise<void> {
  const { cancelAsked, done } = live.carried;
  const path = `asked to cancel ${id}`;
  if (!cancelAsked || path in done) return;
  const request = requestOf(live, step, { step: 'cancel', generation: 0, transactionId: id });
  try {
    await writes(`ask to cancel the ${step.doing}`).cancelTransaction(request);
    finished(live, `${step.doing}: the service was asked to cancel it`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    // A refusal means that it is too late. Anything else is asked again at the next poll.
    if (stop.type !== 'Refused') return;
    stumbled(live, `${step.doing}: the service does not cancel it. ${stop.message}`);
  }
  done[path] = true;
}

/**
 * Asks the service to pay a higher fee for a settling transaction, if a person wishes so. Each wish
 * has a key of its own and is requested once.
 */
export async function accelerateWhenAsked(live: LiveOrder, step: Named): Promise<void> {
  const { accelerating, transactionId = '' } = live.settling ?? {};
  if (accelerating === undefined) return;
  const { accelerations = {} } = live.carried;
  const generation = (accelerations[transactionId] ?? 0) + 1;
  const request = requestOf(live, step, { step: 'accelerate', generation, transactionId });
  try {
    await writes(`ask to accelerate the ${step.doing}`).accelerateTransaction(request);
    live.carried.accelerations = { ...accelerations, [transactionId]: generation };
    finished(live, `${step.doing}: the service was asked to accelerate it`);
    accelerating.answer(`The service was asked to accelerate transaction ${transactionId}.`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    accelerating.refuse(`The ${step.doing} is not accelerated: ${stop.message}`);
  }
  delete live.settling?.accelerating;
}

/** A request about an accepted transaction. It moves no more money if it comes twice. */
function requestOf(
  live: LiveOrder,
  named: Named,
  { transactionId, ...asked }: { step: string; generation: number; transactionId: string },
) {
  const own = identity(live, named);
  const parts = { ...own.parts, ...asked, item: targetOf(own.parts) };
  const always = { earlierTries: 'clean' as const, bornAtMs: Date.now(), validUntil: undefined };
  // It is about a transaction that is known, so no look-up has to come before.
  return { ...own, ...always, lookedUpAgoMs: undefined, parts, transactionId };
}
