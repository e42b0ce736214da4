import type { Order, Play } from '../flows/flow';
import { handOver, newLine, payoutOf } from '../flows/payouts';
import { blockchain, createWallet, fundedWallet } from '../flows/wallets';
import type { Lane } from '../lane';
import { ended, forget, terminate, until } from './caller';

const answered = { call: 'service createTransfer', nth: 1, point: 'between' } as const;

/**
 * Temporal has forgotten a completed payout. It is uploaded again, cut into other parts. Each line
 * must be found by its own content, not by its part.
 */
export async function prepareRecut(lane: Lane, order: Order): Promise<Play> {
  const wallets = [await fundedWallet(lane, 'EOA')];
  const lines = [0, 1].map((at) => newLine(order, { at, wallet: 0, of: 1 }));
  const play = payoutOf(lane, order, { wallets, parts: lines.map((line) => [line]) });
  return {
    ...play,
    start: async () => {
      await handOver(lane, order, { wallets, parts: [lines] });
      await ended(lane, play.id);
      await ended(lane, `${play.id}:shard:1`);
      await forget(lane, play.id);
      await forget(lane, `${play.id}:shard:1`);
      await play.start();
    },
  };
}

/**
 * A payout is terminated while the service answers, and the key is forgotten. Its other wallet was
 * empty, and is the richer one when the payout is started again.
 */
export async function prepareRefilled(lane: Lane, order: Order): Promise<Play> {
  const [wallet, other] = [await fundedWallet(lane, 'EOA'), await createWallet(lane, 'EOA')];
  const line = newLine(order, { at: 0, wallet: 0, of: 2 });
  const play = payoutOf(lane, order, { wallets: [wallet, other], parts: [[line]] });
  return {
    ...play,
    start: async () => {
      lane.gate.holdAt(order.name, answered);
      await play.start();
      await until('the service answered', () => lane.gate.isHeld(order.name));
      // The payout first, or it would react to the end of its shard.
      await terminate(lane, play.id);
      await terminate(lane, `${play.id}:shard:1`);
      lane.gate.release([]);
      await lane.set({ keyLifetimeMs: 0 });
      for (const address of [other.address, other.address]) {
        await lane.custody.requestDrip({ address, blockchain, usdc: true, native: true });
      }
      await play.start();
    },
  };
}

/** Pays line by line while the service keeps no keys. Only the shard knows the paid lines. */
export async function prepareKeyless(lane: Lane, order: Order): Promise<Play> {
  const wallets = [await fundedWallet(lane, 'EOA')];
  const lines = [0, 1, 2].map((at) => newLine(order, { at, wallet: 0, of: 1 }));
  const play = payoutOf(lane, order, { wallets, parts: [lines], openMax: 1 });
  return {
    ...play,
    start: async () => {
      await lane.set({ keyLifetimeMs: 0 });
      await play.start();
    },
  };
}
