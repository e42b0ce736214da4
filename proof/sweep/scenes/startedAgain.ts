import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, Play } from '../flows/flow';
import { usdc } from '../flows/money';
import { transferFrom } from '../flows/transfers';
import { blockchain, fundedWallet } from '../flows/wallets';
import { untilSettling } from '../judge/observe';
import type { Lane } from '../lane';
import { comeBy, terminate, until } from './caller';

const answered = { call: 'service createTransfer', nth: 1, point: 'between' } as const;
const answeredAgain = { call: 'service createTransfer', nth: 2, point: 'after' } as const;

/** Longer than an order takes from its start to its first write. */
const lagMs = 9_000;
/** More than one page of a list. */
const laterTransfers = 51;

/**
 * The run is terminated while the service answers. The order is started again before the lists show
 * the accepted transfer. Only the key leads to it.
 */
export async function prepareUnlisted(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const play = transferFrom(wallet, lane, order);
  return {
    ...play,
    start: async () => {
      // The wallet must be older than the lag of the lists.
      await sleep(lagMs);
      lane.gate.holdAt(order.name, answered);
      await play.start();
      await until('the service answered', () => lane.gate.isHeld(order.name));
      await lane.set({ readLagMs: lagMs });
      await terminate(lane, order.name);
      lane.gate.release([]);
      await play.start();
      await comeBy(lane, order, answeredAgain);
      await lane.set({ readLagMs: 0 });
    },
  };
}

/**
 * The run is terminated, the wallet sends many more transfers to the same recipient, and the key is
 * forgotten. Then the order is started again. Only the end of a long list has its transfer.
 */
export async function prepareLongList(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const play = transferFrom(wallet, lane, order);
  const [effect] = play.effects;
  const to = effect?.what === 'transfer' ? effect.to : undefined;
  if (to === undefined) throw new Error('The transfer has no recipient.');
  return {
    ...play,
    start: async () => {
      await play.start();
      await untilSettling(lane, order.name);
      await terminate(lane, order.name);
      for (let count = 0; count < laterTransfers; count++) {
        await lane.custody.createTransfer({
          idempotencyKey: randomUUID(),
          walletAddress: wallet.address,
          blockchain,
          tokenAddress: usdc,
          destinationAddress: to,
          amounts: ['0.000001'],
          feeLevel: 'MEDIUM',
        });
      }
      await lane.set({ keyLifetimeMs: 0 });
      await play.start();
    },
  };
}
