import { stopOf, writes } from '../order/custody';
import { type LiveOrder, targetOf } from '../order/liveOrder';
import { finished } from '../order/show';
import { identity, once } from './happened';

/**
 * Asks the service to have a transaction settle sooner, where a person wishes so: it pays a higher
 * fee for it. Each wish is asked for under a key of its own, once. How it ends is seen by settling.
 */
export async function accelerateWhenAsked(
  live: LiveOrder,
  step: { step: string; item: string; doing: string },
): Promise<void> {
  const { hurry, transactionId } = live.settling ?? {};
  if (hurry === undefined || transactionId === undefined) return;
  const { hurries = {} } = live.carried;
  const own = identity(live, step);
  const number = (hurries[transactionId] ?? 0) + 1;
  const parts = {
    ...own.parts,
    step: 'accelerate',
    item: targetOf(own.parts),
    generation: number,
  };
  try {
    await once(live, `accelerated ${transactionId} ${number}`, () =>
      writes(`ask to accelerate the ${step.doing}`).accelerateTransaction({
        ...own,
        // What it moves stays the same if it comes twice, so that it may always be sent.
        parts,
        earlierTries: 'clean' as const,
        bornAtMs: Date.now(),
        validUntil: undefined,
        transactionId,
      }),
    );
    live.carried.hurries = { ...hurries, [transactionId]: number };
    finished(live, `${step.doing}: the service was asked to accelerate it`);
    hurry.answer(`${transactionId} is to settle sooner.`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    hurry.refuse(`The ${step.doing} is not accelerated: ${stop.message}`);
  }
  delete live.settling?.hurry;
}
