import type { Accepted } from '../../activities/transactions';
import { groundsInWords } from '../../src/custody/objects/grounds';
import type { Settlement } from '../../src/orders/input/settlement';
import type { LiveOrder } from '../order/liveOrder';
import { noteDone } from '../order/show';
import type { Transacting } from '../write/step';
import { noteOver, settle, write } from '../write/write';

/**
 * Makes a write that is a transaction, and returns once it has settled. What comes afterwards runs
 * while the write still counts as pending, so that no cancellation ends the order meanwhile.
 */
export async function transact<T extends Accepted>(
  live: LiveOrder,
  step: Transacting<T>,
  afterwards: (accepted: T) => Promise<void> = async () => {},
): Promise<Settlement> {
  const accepted = await write(live, step);
  const { transactionId, grounds } = accepted;
  const why = grounds === undefined ? '' : `, ${groundsInWords(grounds)}`;
  noteDone(live, `${step.doing}: accepted as ${transactionId}${why}`);
  const settlement = await settle(live, step, accepted);
  live.carried.made[`${step.step}TxHash`] = settlement.txHash;
  await afterwards(accepted);
  noteOver(live, step);
  return settlement;
}
