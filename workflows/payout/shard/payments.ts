import type { FoundPayment } from '../../../activities/payout/findLines';
import type { PayoutToken, ShardOrder } from '../../../activities/payout/shardOrder';
import {
  type BatchedPayment,
  batchStep,
  itemOfBatch,
  markOf,
  memoIdOf,
} from '../../../src/custody/batch';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { sameText } from '../../../src/custody/objects/sameText';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { ResolvedWallet } from '../../../src/orders/kind';
import type { LineBeside } from '../../../src/orders/payout/lineBeside';
import { batchPaymentStep } from '../../steps/batch';
import { transferStep } from '../../steps/transfer';
import { type Stage, type Wish, wishOf } from '../../write/machine/writeState';
import type { Writes, WritesOwner } from '../../write/writes';
import type { CarriedBatch } from '../records';

/** A line, as the write it is: its key and its reference are the payout's, and never the shard's. */
export type Line = {
  step: 'line';
  item: string;
  to: string;
  amount: string;
  /** The wallet that pays it. A record of an earlier run may name another one of the account. */
  wallet: ResolvedWallet;
  token: PayoutToken;
} & LineBeside;

/** Lines that one write pays together. */
export type Batch = Pick<Line, 'token' | 'amount' | 'item'> &
  Omit<CarriedBatch, 'token'> & { step: typeof batchStep; lineIds: readonly string[] };

/** One write: it pays a line, or a batch of them. */
export type Payment = Line | Batch;

/** A part of a payout, as far as its payments know it. */
export type ShardPart = {
  order: ShardOrder;
  lines: readonly Line[];
  opened: WritesOwner['opened'] & ShardOrder['terms'];
  carried: {
    /** The batches that stand for lines, by their items. */
    batches?: Record<string, CarriedBatch>;
    /** The wallets of earlier runs that pay lines, each for one generation of its line. */
    paidFrom?: Record<string, { generation: number; wallet: ResolvedWallet }>;
  };
  payout: NonNullable<WritesOwner['payout']>;
  writes: Writes;
};

/** The payments of a shard: its batches, and its other lines. */
export type Payments = {
  /** The line with an id. Undefined for a line of another part. */
  line(lineId: string): Line | undefined;
  /** The batches that have not ended. */
  batches(): readonly Batch[];
  /** The batch that stands for each line, by the line's id. */
  batchByLine(): ReadonlyMap<string, Batch>;
  /** All writes of a shard: its batches, and its other lines in their order. */
  all(): readonly Payment[];
  /** The payments at some stages. */
  at(...stages: Stage[]): Payment[];
  /** The payments that want something next. */
  wanting(want: Wish['want']): Payment[];
};

/** The payments of a shard, put together again whenever its batches have changed. */
export function createPayments(
  shard: Pick<ShardPart, 'order' | 'lines' | 'carried' | 'writes'>,
): Payments {
  const lineAt = new Map(shard.lines.map((line) => [line.item, line]));
  let known = togetherNow(shard);
  const now = () => {
    // A shard asks many times in a turn, and its batches change a few times in its life.
    if (known.of !== shard.carried.batches) known = togetherNow(shard);
    return known;
  };
  const stateOf = (one: Payment) => shard.writes.stateOf(one);
  return {
    line: (lineId) => lineAt.get(lineId),
    batches: () => now().batches,
    batchByLine: () => now().byLine,
    all: () => now().all,
    at: (...stages) => now().all.filter((one) => stages.includes(stateOf(one).stage)),
    wanting: (want) => now().all.filter((one) => wishOf(stateOf(one)).want === want),
  };
}

function togetherNow({ order, lines, carried }: Pick<ShardPart, 'order' | 'lines' | 'carried'>) {
  const of = carried.batches;
  const batches = Object.entries(of ?? {}).map(([item, batch]) => whole(order, item, batch));
  const byLine = new Map(
    batches.flatMap((batch) => batch.lineIds.map((lineId) => [lineId, batch])),
  );
  const alone = lines.filter(({ item }) => !byLine.has(item));
  return { of, batches, byLine, all: [...batches, ...alone] };
}

function whole(order: ShardOrder, item: string, batch: CarriedBatch): Batch {
  const token = order.tokens.find(({ name }) => name === batch.token);
  if (token === undefined) throw new Error(`Batch ${item} is not whole.`);
  const units = batch.payments.reduce((sum, { baseUnits }) => sum + BigInt(baseUnits), 0n);
  const lineIds = batch.payments.flatMap(({ line }) => line?.lineId ?? []);
  const amount = fromBaseUnits(units, token.decimals);
  return { ...batch, step: batchStep, item, token, amount, lineIds };
}

/** Notes something about a batch, while it stands for its lines. */
export function noteOnBatch(
  { carried }: ShardPart,
  item: string,
  note: Pick<CarriedBatch, 'gasLimit' | 'unpaid'>,
): void {
  const batch = carried.batches?.[item];
  if (batch !== undefined) carried.batches = { ...carried.batches, [item]: { ...batch, ...note } };
}

/** The number of lines that a payment pays. */
export function lineCount(payment: Payment): number {
  return payment.step === 'line' ? 1 : payment.lineIds.length;
}

/** The ids of the lines that a payment pays. */
export function lineIdsOf(payment: Payment): readonly string[] {
  return payment.step === 'line' ? [payment.item] : payment.lineIds;
}

/** A payment as a step of its payout. */
export function stepOf({ opened }: ShardPart, payment: Payment) {
  const { feeLevel } = opened.order;
  if (payment.step === 'line') {
    const { wallet: from, ...ordered } = payment;
    return transferStep({ opened }, { ...ordered, from, feeLevel });
  }
  return batchPaymentStep(opened.blockchain, { ...payment, feeLevel, isOwn: isOwnBatch(payment) });
}

/** False for a batch that pays other lines too. Such a batch is watched, and never sent. */
export function isOwnBatch({ payments }: Pick<Batch, 'payments'>): boolean {
  return payments.every(({ line }) => line !== undefined);
}

/** The attempt at a line that a record shows, and the account that has made it. */
type Paid = {
  generation: number;
  record: Pick<Transaction, 'walletId' | 'sourceAddress' | 'contractAddress' | 'userOpHash'>;
};

/** Keeps which wallet pays an attempt at a line, where a record names another one. */
export function payFrom(
  { carried, opened }: ShardPart,
  line: Line,
  { generation, record }: Paid,
): void {
  const { walletId, sourceAddress: address, contractAddress, userOpHash } = record;
  if (walletId === undefined || address === undefined || walletId === line.wallet.walletId) return;
  const callsItself = contractAddress !== undefined && sameText(contractAddress, address);
  const accountType = userOpHash || callsItself ? 'SCA' : 'EOA';
  const known = opened.wallets.find((wallet) => wallet.walletId === walletId);
  const wallet = known ?? { walletId, address, accountType };
  carried.paidFrom = { ...carried.paidFrom, [line.item]: { generation, wallet } };
  line.wallet = wallet;
}

/** Gives a line the wallet of its attempt: an earlier run's, or the one that the payout gives it. */
export function giveWallet(
  { carried, order }: Pick<ShardPart, 'carried' | 'order'>,
  line: Line,
  { generation }: { generation: number },
): void {
  const paid = carried.paidFrom?.[line.item];
  if (paid === undefined) return;
  const own = order.lines.find(({ lineId }) => lineId === line.item);
  const wallet =
    paid.generation === generation ? paid.wallet : order.terms.wallets[own?.wallet ?? -1];
  if (wallet !== undefined) line.wallet = wallet;
}

/** The payment that a line makes in a batch, at a generation. */
export function paymentOf(shard: ShardPart, line: Line, generation: number): FoundPayment {
  const { item: lineId, to, amount, token } = line;
  const baseUnits = toBaseUnits(amount, token.decimals).toString();
  const nameOf = hasMemo(shard, line) ? memoIdOf : markOf;
  const mark = nameOf(shard.payout.workflowId, lineId, generation);
  return { to, baseUnits, mark, line: { lineId, generation } };
}

/** True if the payment of a line carries a memo, so that the chain alone tells that it was paid. */
export function hasMemo({ opened }: ShardPart, { wallet, token }: Pick<Line, 'wallet' | 'token'>) {
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

/** Keeps a batch that stands for its lines, with all that was noted on it. Returns its item. */
export function keepBatch(
  { carried }: ShardPart,
  of: Pick<Line, 'wallet' | 'token'>,
  payments: Batch['payments'],
): string {
  const item = itemOf(of, payments);
  const batch = { ...carried.batches?.[item], wallet: of.wallet, token: of.token.name, payments };
  carried.batches = { ...carried.batches, [item]: batch };
  return item;
}
