import type { FoundPayment } from '../../../activities/payout/findLines';
import {
  type BatchedPayment,
  batchStep,
  itemOfBatch,
  markOf,
  memoIdOf,
} from '../../../src/custody/batch';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { batchPaymentStep } from '../../steps/batch';
import { transferStep } from '../../steps/transfer';
import { stateOf } from '../../write/happened';
import { type Stage, type Wish, wishOf } from '../../write/writeState';
import type { CarriedBatch } from '../records';
import type { Line, Shard } from './shard';

/** Lines that one write pays together. */
export type Batch = Pick<Line, 'wallet' | 'token' | 'amount' | 'item'> &
  Omit<CarriedBatch, 'wallet' | 'token'> & { step: typeof batchStep; lineIds: readonly string[] };

/** One write: it pays a line, or a batch of them. */
export type Payment = Line | Batch;

/** The batches that have not ended. */
export function batchesOf({ carried, order, opened }: Shard): Batch[] {
  return Object.entries(carried.batches ?? {}).map(([item, batch]) => {
    const wallet = opened.wallets[batch.wallet];
    const token = order.tokens.find(({ name }) => name === batch.token);
    if (wallet === undefined || token === undefined) throw new Error(`Batch ${item} is not whole.`);
    const units = batch.payments.reduce((sum, { baseUnits }) => sum + BigInt(baseUnits), 0n);
    const lineIds = batch.payments.flatMap(({ line }) => line?.lineId ?? []);
    const amount = fromBaseUnits(units, token.decimals);
    return { ...batch, step: batchStep, item, wallet, token, amount, lineIds };
  });
}

/** The batch that stands for each line, by the line's id. */
export function batchByLine(shard: Shard): Map<string, Batch> {
  return new Map(
    batchesOf(shard).flatMap((batch) => batch.lineIds.map((lineId) => [lineId, batch])),
  );
}

/** All writes of a shard: its batches, and its other lines in their order. */
export function paymentsOf(shard: Shard): Payment[] {
  const batches = batchesOf(shard);
  if (batches.length === 0) return [...shard.lines];
  const batched = new Set(batches.flatMap(({ lineIds }) => lineIds));
  return [...batches, ...shard.lines.filter(({ item }) => !batched.has(item))];
}

/** The payments at some stages. */
export function paymentsAt(shard: Shard, ...stages: Stage[]): Payment[] {
  return paymentsOf(shard).filter((one) => stages.includes(stateOf(shard, one).stage));
}

/** The payments that want something next. */
export function paymentsThatWant(shard: Shard, want: Wish['want']): Payment[] {
  return paymentsOf(shard).filter((one) => wishOf(stateOf(shard, one)).want === want);
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
