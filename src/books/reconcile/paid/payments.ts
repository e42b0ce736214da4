import { isOfBatch } from '../../../custody/reference';
import type { ArchivedReceipt } from '../../receipt';
import { namedWrite } from '../../records/reference';
import type { Moved, SentRecord } from '../source';
import { receiptMark, type Tables } from '../tables';
import { keyOfReceipt } from './keys';

/** One payment that the chain shows, with its record and its receipts where it has them. */
export type ChainPayment = {
  effect: Moved;
  record: SentRecord | undefined;
  /** The receipt of exactly this payment. */
  receipt: ArchivedReceipt | undefined;
  /** A receipt that calls the same attempt failed. */
  failure: ArchivedReceipt | undefined;
};

type Known = { record: SentRecord | undefined; receipts: readonly ArchivedReceipt[] };

/** The payments of one record. */
export function paymentsOfRecord(
  tables: Tables,
  { moved, ...known }: Known & { moved: readonly Moved[] },
): ChainPayment[] {
  const payments = moved.filter(({ kind }) => kind === 'transfer');
  return payments.map((effect) => paymentOf(tables, effect, known));
}

/** The gas of a transaction that did not fail. It stands for a call that pays nobody. */
export function gasOfEffect(moved: readonly Moved[]): Moved | undefined {
  return moved.find(({ kind, isFailed }) => kind !== 'transfer' && isFailed === undefined);
}

/** The movements of which the service has no record, gas too. */
export function* unrecordedPayments(tables: Tables): Generator<ChainPayment> {
  for (const { moved } of tables.unrecorded()) {
    yield paymentOf(tables, moved, { record: undefined, receipts: [] });
  }
}

function paymentOf(tables: Tables, effect: Moved, { record, receipts }: Known): ChainPayment {
  const { txHash, logIndex, mark } = effect;
  const near = tables.receiptsAt(effect);
  const isSame = ({ chain }: ArchivedReceipt): boolean =>
    chain.txHash?.toLowerCase() === txHash && chain.logIndex === logIndex;
  const ofAttempt = near.filter((one) => mark !== undefined && receiptMark(one) === mark);
  // A receipt may name another transaction than its own. The reference of a record decides.
  const { hash } = isOfBatch(record?.refId) ? {} : (namedWrite(record?.refId) ?? {});
  const alone = receipts.filter((one) => keyOfReceipt(one) === hash);
  const receipt =
    near.find(isSame) ??
    ofAttempt.find(({ transactionId }) => transactionId === record?.id) ??
    alone[0];
  const failure = [...ofAttempt, ...alone].find(({ outcome }) => outcome === 'failed');
  return { effect, record, receipt, failure };
}
