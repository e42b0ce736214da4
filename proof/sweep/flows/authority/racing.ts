import { setTimeout as sleep } from 'node:timers/promises';
import { toBaseUnits } from '../../../../src/custody/objects/amount';
import { createChainReader } from '../../judge/chainLogs';
import { progressOf } from '../../judge/observe';
import type { Lane } from '../../lane';
import { terminate } from '../../scenes/caller';
import type { Bound, Hashes, Order, Play } from '../flow';
import { unlessDone } from '../intents';
import { usdcDecimals } from '../money';
import { newLine, payoutOf } from '../payouts';
import { startedAgain } from '../startedAgain';
import { fundedWallet } from '../wallets';
import { limitOf, nextPolicy } from './keys';
import { peopleBeside, signingClient } from './people';

/** Each line is a little more than 1.6 USDC, so three of six fit. */
const window = '5.5';
const wide = '50';
const linesEach = 3;
const lookMs = 200;
/** Nobody waits longer for the window to be full. */
const fullMsMax = 150_000;
/** All that was let out before the sentence was shown is on the chain by then. */
const restMs = 2_000;

/**
 * Two payouts from wallets of their own race for the window of one rule. Once it is full, and the
 * rest waits, they are terminated. The next policy widens the window, and they are started again.
 */
export async function prepareRacingPayouts(lane: Lane, order: Order): Promise<Play> {
  const payers = [await payerOf(lane, order, 0), await payerOf(lane, order, 1)] as const;
  const [{ play }, { play: other }] = payers;
  const plays = [play, other];
  const wallets = payers.map(({ wallet }) => wallet.id);
  const from = payers.map(({ wallet }) => wallet.address.toLowerCase());
  const rule = `window-${order.number}`;
  const limitTo = (amount: string): Promise<void> => {
    const perWindow = { amount, hours: 24, over: 'rule' };
    return lane.limit(nextPolicy([limitOf(wallets, { id: rule, orders: ['payout'], perWindow })]));
  };
  const full: Bound = { from, max: toBaseUnits(window, usdcDecimals) };
  await limitTo(window);
  const steadfast = await signingClient(lane);
  const mend = async (): Promise<void> => {
    for (const { id } of plays) await peopleBeside(lane, id).mend();
  };
  const both: Play = {
    ...play,
    start: () =>
      Promise.all(
        payers.map(({ payoutId, wallet, lines }) =>
          steadfast.payout({ payoutId, wallets: [wallet.id], batch: false }, lines),
        ),
      ),
    others: [...(play.others ?? []), other.id, ...(other.others ?? [])],
    effects: plays.flatMap(({ effects }) => effects),
    bounds: [full],
    mend,
    read: async (receipt) => {
      const read = [await play.read?.(receipt), await readEnded(lane, other)];
      const [contradiction] = read.flatMap((hashes) => hashes?.contradiction ?? []);
      return { lineHashes: read.flatMap((hashes) => hashes?.lineHashes ?? []), contradiction };
    },
  };
  return startedAgain(both, async () => {
    if (full.toBlock === undefined) await untilFull(lane, { plays, rule, mend });
    full.toBlock ??= await createChainReader(lane.rpcUrl).blockNumber();
    // A payout first, or it would react to the end of its shard.
    const ids = plays.flatMap(({ id, others = [] }) => [id, ...others]);
    for (const id of ids) await unlessDone(terminate(lane, id));
    await limitTo(wide);
  });
}

/** One of the two payouts, with its wallet. No amount is in both. */
async function payerOf(lane: Lane, order: Order, index: number) {
  const wallet = await fundedWallet(lane, 'EOA');
  const lines = Array.from({ length: linesEach }, (_, at) =>
    newLine(order, { at: index * linesEach + at, wallet: 0, of: 1 }),
  );
  const payoutId = `${order.name}-${index}`;
  const play = payoutOf(lane, { ...order, name: payoutId }, { wallets: [wallet], parts: [lines] });
  return { wallet, lines, payoutId, play };
}

type Race = { plays: readonly { id: string }[]; rule: string; mend(): Promise<void> };

/**
 * Waits until one of the payouts says that its rest waits for the window. It says so once nobody
 * is asked about a line that a killed worker had at hand.
 */
async function untilFull(lane: Lane, { plays, rule, mend }: Race): Promise<void> {
  for (const endMs = Date.now() + fullMsMax; Date.now() < endMs; await sleep(lookMs)) {
    const asked = plays.map(({ id }) => progressOf(lane, id).catch(() => undefined));
    const told = (await Promise.all(asked)).map((progress) => progress?.waitingFor);
    if (told.some((words) => words?.includes(`The window of the rule ${rule} is full`))) {
      await sleep(restMs);
      return;
    }
    await mend().catch(() => {});
  }
  throw new Error(`No payout said that the window of ${rule} is full.`);
}

/** The hashes of a payout beside the one of the order. None while it runs. */
async function readEnded({ observer }: Lane, { id, read }: Play): Promise<Hashes | undefined> {
  const handle = observer.workflow.getHandle(id ?? '');
  if ((await handle.describe()).status.name !== 'COMPLETED') return undefined;
  return read?.(await handle.result());
}
