import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Play } from '../flows/flow';
import { settledMs, unlessDone } from '../flows/intents';
import { transferFrom } from '../flows/transfers';
import { blockchain, createWallet } from '../flows/wallets';
import { untilSettling } from '../judge/observe';
import type { Lane } from '../lane';
import { countOf, ended, reset, shows, until } from './caller';

const look = 'activity findTransaction completed';
/** Long enough for two looks, and shorter than the wallet is old by then. */
const hiddenMs = 7_000;

/**
 * An attempt is lost, and the next one is refused for lack of funds. A person finds that it had no
 * effect and sends the funds. A cancellation comes too late. Then the run is reset, and Temporal
 * applies both updates again, while the lists do not show the accepted transfer yet.
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
