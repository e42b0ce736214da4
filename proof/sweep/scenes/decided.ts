import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Play } from '../flows/flow';
import { settledMs, unlessDone } from '../flows/intents';
import { transferFrom } from '../flows/transfers';
import { blockchain, createWallet } from '../flows/wallets';
import { untilSettling } from '../judge/observe';
import type { Lane } from '../lane';
import { ended, reset, shows, wake } from './caller';

/** Longer than the grace period, so that a person is asked while the transfer is hidden. */
const hiddenMs = 14_000;

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
      // The lists hide the wallet too, unless it is older.
      await sleep(hiddenMs);
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
      await reset(lane, order.name);
      await shows(lane, order.name, 'Unknown');
      await lane.set({ readLagMs: 0 });
      await wake(lane, order.name);
    },
  };
}
