import type { Accepted } from '../activities/transactions';
import { stopOf, writes } from './custody';
import { type Run, targetOf } from './run';
import { finished, stumbled } from './show';
import { once, stateOf } from './write';

/**
 * Asks the service to cancel what it has taken, where the order is to be cancelled: under a key of
 * its own, until it has answered. The answer only says that it was heard; how the transaction ends
 * is seen by settling it.
 */
export async function cancelWhenAsked(
  run: Run,
  step: { step: string; item: string; doing: string },
  { transactionId }: Accepted,
): Promise<void> {
  const path = `asked to cancel ${transactionId}`;
  if (!run.carried.cancelAsked || path in run.carried.done) return;
  const { identity } = stateOf(run, step);
  const parts = {
    ...identity.parts,
    step: 'cancel',
    item: targetOf(identity.parts),
    generation: 0,
  };
  try {
    await once(run, path, () =>
      writes(`ask to cancel the ${step.doing}`).cancelTransaction({
        ...identity,
        // Without effect on money if it comes twice, so that it may always be sent.
        ...{ parts, earlierTries: 'clean' as const, bornAtMs: Date.now(), validUntil: undefined },
        transactionId,
      }),
    );
    finished(run, `${step.doing}: the service was asked to cancel it`);
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    // Refused, as too late: settling shows how it ended. Anything else is tried at the next look.
    if (stop.type !== 'Refused') return;
    stumbled(run, `${step.doing}: the service does not cancel it. ${stop.message}`);
    run.carried.done[path] = 'refused';
  }
}
