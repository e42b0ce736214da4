import type { Lane } from '../lane';
import { comeBy, until, untilSent } from '../scenes/caller';
import type { Order, Play } from './flow';
import { preparePayout } from './payouts';
import { startedAgain } from './startedAgain';
import { prepareTransfer, transferFrom } from './transfers';
import { fundedWallet } from './wallets';

const opened = { call: 'activity openOrder completed', nth: 1, point: 'after' } as const;

/** Temporal is restored from a backup that knows the order, but not that it was sent. */
export async function prepareRestoredTransfer(lane: Lane, order: Order): Promise<Play> {
  const play = await prepareTransfer(lane, order, 'EOA');
  return startedAgain(play, () => restoredAsSent(lane, order));
}

/** The same with a payout, as its lines settle. */
export async function prepareRestoredPayout(lane: Lane, order: Order): Promise<Play> {
  return startedAgain(await preparePayout(lane, order), () => restoredAsSent(lane, order));
}

async function restoredAsSent(lane: Lane, order: Order): Promise<void> {
  await comeBy(lane, order, opened);
  await lane.backUpTemporal();
  await untilSent(lane, order);
  await lane.restoreTemporal();
}

/** Temporal is restored from a backup that is older than the order. */
export async function prepareUnheardTransfer(lane: Lane, order: Order): Promise<Play> {
  const play = await prepareTransfer(lane, order, 'SCA');
  await lane.backUpTemporal();
  return startedAgain(play, async () => {
    await untilSent(lane, order);
    await lane.restoreTemporal();
  });
}

/**
 * The service is restored with its chain, from a snapshot before the transfer was sent. The
 * transfer had settled by then, and its order has not heard that it was accepted.
 */
export async function prepareUndoneTransfer(lane: Lane, order: Order): Promise<Play> {
  const wallet = await fundedWallet(lane, 'EOA');
  const play = transferFrom(wallet, lane, order);
  const restore = await lane.snapshot();
  await lane.decide(wallet.id, 'loseAnswer');
  for (let tries = 0; tries < triesMax; tries++) await lane.decide(wallet.id, 'loseRequest');
  return startedAgain(play, async () => {
    await until('the transfer settled', async () => {
      const { transactions } = await lane.custody.listTransactions({ walletIds: wallet.id });
      return transactions.some(({ refId, state }) => refId !== undefined && state === 'COMPLETE');
    });
    await restore();
  });
}

/** More tries than a write has until its record is COMPLETE. */
const triesMax = 20;

const hourMs = 3_600_000;

/** The worker's clock is hours behind or ahead while a payout is carried out. */
export function prepareShifted(hours: number): (lane: Lane, order: Order) => Promise<Play> {
  return async (lane, order) => {
    const play = await preparePayout(lane, order);
    await lane.shiftClock(hours * hourMs);
    return play;
  };
}
