import { stopOf, writes } from '../order/custody';
import { type LiveOrder, targetOf } from '../order/liveOrder';
import { finished, stumbled } from '../order/show';
import { identity, once } from './happened';

/**
 * Asks the service to cancel what it has taken, where the order is to be cancelled: under a key of
 * its own, until it has answered. The answer only says that it was heard; how the transaction ends
 * is seen by settling it.
 */
export async function cancelWhenAsked(
  live: LiveOrder,
  step: { step: string; item: string; doing: string },
  transactionId: string,
): Promise<void> {
  const path = `asked to cancel ${transactionId}`;
  if (!live.carried.cancelAsked || path in live.carried.done) return;
  const own = identity(live, step);
  const parts = {
    ...own.parts,
    step: 'cancel',
    item: targetOf(own.parts),
    generation: 0,
  };
  try {
    await once(live, path, () =>
      writes(`ask to cancel the ${step.doing}`).cancelTransaction({
        ...own,
        // Without effect on money if it comes twice, so that it may always be sent.
        parts,
        earlierTries: 'clean' as const,
        bornAtMs: Date.now(),
        validUntil: undefined,
        transactionId,
      }),
    );
    finished(live, `${step.doing}: the service was asked to cancel it`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    // Refused, as too late: settling shows how it ended. Anything else is tried at the next look.
    if (stop.type !== 'Refused') return;
    stumbled(live, `${step.doing}: the service does not cancel it. ${stop.message}`);
    live.carried.done[path] = 'refused';
  }
}
