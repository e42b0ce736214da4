import type { FoundPayment } from '../../../activities/payout/findLines';
import {
  type BatchedPayment,
  batchStep,
  itemOfBatch,
  markOf,
  memoIdOf,
} from '../../../src/custody/batch';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { linesPerBatch } from '../../../src/orders/payout/linesPerBatch';
import { batchPaymentStep } from '../../steps/batch';
import { transferStep } from '../../steps/transfer';
import { type Stage, type Wish, wishOf } from '../../write/writeState';
import type { CarriedBatch } from '../records';
import type { Line, Shard, ShardCarried } from './shard';

/** Lines that one write pays together. */
export type Batch = Pick<Line, 'token' | 'amount' | 'item'> &
  Omit<CarriedBatch, 'token'> & { step: typeof batchStep; lineIds: readonly string[] };

/** One write: it pays a line, or a batch of them. */
export type Payment = Line | Batch;

/** The payments of a shard, put together from its batches as they are carried. */
type Payments = {
  of: ShardCarried['batches'];
  batches: readonly Batch[];
  byLine: ReadonlyMap<string, Batch>;
  /** The batches, and the other lines in their order. */
  all: readonly Payment[];
};

/** The batches that have not ended. */
export function batchesOf(shard: Shard): readonly Batch[] {
  return known(shard).batches;
}

/** The batch that stands for each line, by the line's id. */
export function batchByLine(shard: Shard): ReadonlyMap<string, Batch> {
  return known(shard).byLine;
}

/** All writes of a shard: its batches, and its other lines in their order. */
export function paymentsOf(shard: Shard): readonly Payment[] {
  return known(shard).all;
}

/** A shard asks many times in a turn, and its batches change a few times in its life. */
const remembered = new WeakMap<Shard, Payments>();

function known(shard: Shard): Payments {
  const of = shard.carried.batches;
  let payments = remembered.get(shard);
  if (payments === undefined || payments.of !== of) {
    const batches = Object.entries(of ?? {}).map(([item, batch]) => whole(shard, item, batch));
    const byLine = new Map(
      batches.flatMap((batch) => batch.lineIds.map((lineId) => [lineId, batch])),
    );
    const alone = shard.lines.filter(({ item }) => !byLine.has(item));
    payments = { of, batches, byLine, all: [...batches, ...alone] };
    remembered.set(shard, payments);
  }
  return payments;
}

function whole({ order }: Shard, item: string, batch: CarriedBatch): Batch {
  const token = order.tokens.find(({ name }) => name === batch.token);
  if (token === undefined) throw new Error(`Batch ${item} is not whole.`);
  const units = batch.payments.reduce((sum, { baseUnits }) => sum + BigInt(baseUnits), 0n);
  const lineIds = batch.payments.flatMap(({ line }) => line?.lineId ?? []);
  const amount = fromBaseUnits(units, token.decimals);
  return { ...batch, step: batchStep, item, token, amount, lineIds };
}

/** Notes something about a batch, while it stands for its lines. */
export function noteOnBatch(
  { carried }: Shard,
  item: string,
  note: Pick<CarriedBatch, 'gasLimit' | 'unpaid'>,
): void {
  const batch = carried.batches?.[item];
  if (batch !== undefined) carried.batches = { ...carried.batches, [item]: { ...batch, ...note } };
}

/** The payments at some stages. */
export function paymentsAt(shard: Shard, ...stages: Stage[]): Payment[] {
  return paymentsOf(shard).filter((one) => stages.includes(shard.writes.stateOf(one).stage));
}

/** The payments that want something next. */
export function paymentsThatWant(shard: Shard, want: Wish['want']): Payment[] {
  return paymentsOf(shard).filter((one) => wishOf(shard.writes.stateOf(one)).want === want);
}

/** The number of lines that a payment pays. */
export function linesIn(payment: Payment): number {
  return payment.step === 'line' ? 1 : payment.lineIds.length;
}

/** The ids of the lines that a payment pays. */
export function lineIdsOf(payment: Payment): readonly string[] {
  return payment.step === 'line' ? [payment.item] : payment.lineIds;
}

/** A payment as a step of its payout. */
export function stepOf({ opened }: Shard, payment: Payment) {
  const { feeLevel } = opened.order;
  if (payment.step === 'line') {
    const { wallet: from, ...ordered } = payment;
    return transferStep({ opened }, { ...ordered, from, feeLevel });
  }
  return batchPaymentStep(opened.blockchain, { ...payment, feeLevel, isOwn: isOwn(payment) });
}

/** False for a batch that pays other lines too. Such a batch is watched, and never sent. */
export function isOwn({ payments }: Pick<Batch, 'payments'>): boolean {
  return payments.every(({ line }) => line !== undefined);
}

/** The payment that a line makes in a batch, at a generation. */
export function paymentOf(shard: Shard, line: Line, generation: number): FoundPayment {
  const { item: lineId, to, amount, token } = line;
  const baseUnits = toBaseUnits(amount, token.decimals).toString();
  const nameOf = hasMemo(shard, line) ? memoIdOf : markOf;
  const mark = nameOf(shard.payout.workflowId, lineId, generation);
  return { to, baseUnits, mark, line: { lineId, generation } };
}

/** True if the payment of a line carries a memo, so that the chain alone tells that it was paid. */
export function hasMemo({ opened }: Shard, { wallet, token }: Pick<Line, 'wallet' | 'token'>) {
  const { order, batchesFrom = [] } = opened;
  if (order.memo !== true || batchesFrom.length === 0) return false;
  return wallet.accountType !== 'SCA' && token.keepsSender?.withMemo === true;
}

/** The item of a batch of these lines. All of them have one wallet and one token. */
export function itemOf(
  { wallet, token }: Pick<Line, 'wallet' | 'token'>,
  payments: readonly BatchedPayment[],
): string {
  return itemOfBatch({ walletId: wallet.walletId, tokenAddress: token.address, payments });
}

/** The lines that may be batched, by the name of their batch. */
export function chunksOf(shard: Shard): readonly Chunk[] {
  let chunks = chunked.get(shard);
  if (chunks === undefined) {
    chunks = cut(shard);
    chunked.set(shard, chunks);
  }
  return chunks;
}

/** They are the same in every turn of a run. */
const chunked = new WeakMap<Shard, readonly Chunk[]>();

/** The name of a batch, and the lines that it may have. */
type Chunk = [string, Line[]];

/** Cuts the lines by wallet, token and size. */
function cut({ lines, opened }: Shard): Chunk[] {
  const { order, batchesFrom = [] } = opened;
  const linesMax = linesPerBatch(order);
  if (linesMax === undefined) return [];
  const byKind = new Map<string, Line[]>();
  for (const line of lines) {
    if (!isBatched(line, batchesFrom)) continue;
    const kind = `${line.wallet.walletId} ${line.token.address}`;
    const alike = byKind.get(kind) ?? [];
    alike.push(line);
    byKind.set(kind, alike);
  }
  return [...byKind].flatMap(([kind, alike]) =>
    Array.from({ length: Math.ceil(alike.length / linesMax) }, (_, at): Chunk => {
      return [`${kind} ${at}`, alike.slice(at * linesMax, (at + 1) * linesMax)];
    }),
  );
}

/** True if the account of a line can pay its token in batches. */
function isBatched({ wallet, token }: Line, batchesFrom: readonly string[]): boolean {
  if (token.address === '' || !batchesFrom.includes(wallet.accountType)) return false;
  return wallet.accountType === 'SCA' || token.keepsSender?.inBatches === true;
}
