import { createSteadfast } from '../../../src/client/client';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import {
  type LineResult,
  type PayoutLine,
  type PayoutReceipt,
  payoutReceipt,
} from '../../../src/orders/payout';
import { sumByToken } from '../../../src/orders/payout/tally';
import { walletOfLine } from '../../../src/orders/payout/walletOfLine';
import type { Lane } from '../lane';
import type { Hashes, Order, Play } from './flow';
import { amountOf, moved, usdcDecimals } from './money';
import { fundedWallet, newAddress } from './wallets';

/** A shard looks at its lines, and sets its clock, as often as their settling takes. */
export const polls =
  /watchLines|listTransactions|checkReceipts|eth_getTransaction|timer|nothing new/;

type Payer = { id: string; address: string };

/** Wallets of both types pay one part. The smart account's second line waits for its first. */
export async function preparePayout(lane: Lane, order: Order): Promise<Play> {
  const wallets = await Promise.all([fundedWallet(lane, 'EOA'), fundedWallet(lane, 'SCA')]);
  const [ours, smart] = [0, 1];
  const lines = [ours, smart, smart].map((wallet, at) =>
    newLine(order, { at, wallet, of: wallets.length }),
  );
  return payoutOf(lane, order, { wallets, parts: [lines] });
}

/** A batch of three lines and one of two. Started again, it asks for batches of two. */
export function prepareBatches(type: 'EOA' | 'SCA') {
  return async (lane: Lane, order: Order): Promise<Play> => {
    const wallets = [await fundedWallet(lane, type)];
    const lines = [0, 1, 2, 3, 4].map((at) => newLine(order, { at, wallet: 0, of: 1 }));
    const given = { wallets, parts: [lines], batch: { linesMax: 3 } };
    return {
      ...payoutOf(lane, order, given),
      recordCount: 2,
      startAgain: () => handOver(lane, order, { ...given, batch: { linesMax: 2 } }),
    };
  };
}

/** A line that leads to the given wallet. Its amount is unique among all orders. */
export function newLine(
  order: Order,
  { at, wallet, of }: { at: number; wallet: number; of: number },
): PayoutLine {
  const ids = Array.from({ length: 100 }, (_, number) => `line-${at}-${number}`);
  const lineId = ids.find((id) => walletOfLine(id, of) === wallet) ?? '';
  const amount = amountOf({ number: linesFrom + order.number * linesMax + at });
  return { lineId, to: newAddress(), amount, token: 'USDC' };
}

/** The amounts of lines begin above those of whole orders. */
const linesFrom = 600_000;
const linesMax = 10;

export type Parts = {
  wallets: readonly Payer[];
  parts: readonly PayoutLine[][];
  /** The maximum number of lines under way at a time. */
  openMax?: number;
  /** Lines go one by one unless it says otherwise. */
  batch?: { linesMax: number };
};

/** A payout of these parts, judged by its receipt and its lines. */
export function payoutOf(lane: Lane, order: Order, given: Parts): Play & { id: string } {
  const id = `payout:${order.name}`;
  const lines = given.parts.flat();
  const { wallets } = given;
  return {
    id,
    others: given.parts.map((_, at) => `${id}:shard:${at + 1}`),
    start: () => handOver(lane, order, given),
    effects: lines.map(({ lineId, to, amount }) => {
      const from = wallets[walletOfLine(lineId, wallets.length)]?.address ?? '';
      return moved({ from, to, amount });
    }),
    read: (receipt) => readPayout(lane, { id, lines }, payoutReceipt.parse(receipt)),
    hashes: ({ lineHashes = [] }) => [...lineHashes],
  };
}

/** Starts a payout, hands its parts over and seals it, or goes on with that. */
export async function handOver(
  { steadfast, caller }: Lane,
  { name }: Order,
  { wallets, parts, ...settings }: Parts,
): Promise<void> {
  const id = `payout:${name}`;
  const payers = wallets.map((wallet) => wallet.id);
  const body = { payoutId: name, wallets: payers, batch: false as const, ...settings };
  const { outcome } = await steadfast.start('payout', id, body);
  if (outcome === 'completed') return;
  const handle = caller.workflow.getHandle(id);
  for (const [at, lines] of parts.entries()) {
    await handle.executeUpdate('addLines', { args: [{ part: at + 1, lines }] });
  }
  const totals = sumByToken(parts.flat());
  await handle.executeUpdate('seal', { args: [{ parts: parts.length, totals }] });
}

async function readPayout(
  { observer: client }: Lane,
  { id, lines }: { id: string; lines: readonly PayoutLine[] },
  receipt: PayoutReceipt,
): Promise<Hashes> {
  const results: LineResult[] = [];
  for await (const result of createSteadfast({ client, taskQueue: '' }).payoutLines(id)) {
    results.push(result);
  }
  const lineHashes = lines.map(({ lineId }) => {
    const own = results.filter((result) => result.lineId === lineId);
    const [{ outcome, txHash, reason } = {}] = own;
    if (own.length !== 1) return `${own.length} lines ${lineId}`;
    return outcome === 'paid' ? (txHash ?? 'no hash') : `${lineId} is ${outcome}: ${reason}`;
  });
  return { lineHashes, contradiction: contradictionOf(receipt, results) };
}

/** Compares a receipt's counts and sums with its lines. */
function contradictionOf(
  { lines, paid, totals }: PayoutReceipt,
  results: readonly LineResult[],
): string | undefined {
  const own = results.filter(({ outcome }) => outcome === 'paid');
  const units = own.reduce((sum, { amount }) => sum + toBaseUnits(amount, usdcDecimals), 0n);
  const sum = fromBaseUnits(units, usdcDecimals);
  const told = `${paid} of ${lines} lines paid, ${totals.USDC?.paid} USDC`;
  const counted = `${own.length} of ${results.length} lines paid, ${sum} USDC`;
  return told === counted ? undefined : `The receipt says ${told}. Its lines say ${counted}.`;
}
