import type { Order, Play } from '../flows/flow';
import { transferFrom } from '../flows/transfers';
import { fundedWallet } from '../flows/wallets';
import type { Lane } from '../lane';
import { ended, forget, otherTransfer, shows, startPlainly, terminate } from './caller';

/**
 * A careless client starts another order under the id of a completed one, after the service has
 * forgotten the key. It is refused, and the first order's start still returns its receipt.
 */
export async function prepareUsedId(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const play = transferFrom(wallet, lane, order);
  const other = otherTransfer(wallet, order);
  return {
    ...play,
    never: [other.effect],
    start: async () => {
      await play.start();
      await ended(lane, order.name);
      await lane.set({ keyLifetimeMs: 0 });
      await startPlainly(lane, order.name, other.body);
      await ended(lane, order.name);
      await startPlainly(lane, order.name, play.body);
    },
  };
}

/**
 * Another order gets the id of one that Temporal has forgotten, and so its key. It must not use the
 * first order's record. Its caller places it again, under a free id.
 */
export async function prepareForgottenId(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const play = transferFrom(wallet, lane, order);
  const other = otherTransfer(wallet, order);
  return {
    ...play,
    effects: [...play.effects, other.effect],
    start: async () => {
      await play.start();
      await ended(lane, order.name);
      await forget(lane, order.name);
      await startPlainly(lane, order.name, other.body);
      // An order that does not ask for an operator is not placed again.
      if (!(await shows(lane, order.name, 'NeedsOperator'))) return;
      await terminate(lane, order.name);
      await forget(lane, order.name);
      await startPlainly(lane, `${order.name}:other`, other.body);
      await ended(lane, `${order.name}:other`);
      await play.start();
    },
  };
}
