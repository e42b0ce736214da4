import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Play } from '../flow';
import { settledMs, unlessDone } from '../flows/intents';
import { transferFrom } from '../flows/transfers';
import { blockchain, createWallet } from '../flows/wallets';
import type { Lane } from '../lane';
import { untilSettling } from '../observe';
import { countOf, ended, reset, shows, until } from './caller';

const look = 'activity findTransaction completed';
/** Long enough for two looks, and shorter than the wallet is old by then. */
const hiddenMs = 7_000;

/**
 * A try is lost and the next one refused for lack of funds; a person finds that nothing was taken
 * and sends the funds; a cancellation comes too late. Then the run is reset, while the lists do not
 * show yet what was taken, and Temporal hands both updates in again.
 */
export async function prepareDecided(lane: Lane, order: Order): Promise<Play> {
  const wallet = await createWallet(lane, 'EOA');
  const play = transferFrom(wallet, lane, order);
  const finding = { target: 'transfer/1#0', finding: 'noEffect', evidence: 'no funds' } as const;
  return {
    ...play,
    start: async () => {
      await lane.decide(wallet.id, 'reset');
      await play.start();
      await shows(lane, order.name, 'Unknown');
      const { address } = wallet;
      await lane.custody.requestDrip({ address, blockchain, usdc: true, native: true });
      await lane.steadfast.resolve(order.name, finding);
      await untilSettling(lane, order.name);
      const acceptedAtMs = Date.now();
      await sleep(settledMs);
      await unlessDone(lane.steadfast.cancel(order.name, 'swept'));
      await ended(lane, order.name);
      await lane.set({ readLagMs: Date.now() - acceptedAtMs + hiddenMs });
      const looks = countOf(lane, order, look);
      await reset(lane, order.name);
      await until('it looked twice', () => countOf(lane, order, look) >= looks + 2);
      await lane.set({ readLagMs: 0 });
    },
  };
}
