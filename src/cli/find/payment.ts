import { ArchiveError } from '../../books/archive/archive';
import { type ArchivedReceipt, hashOfReceipt } from '../../books/receipt';
import { finalState } from '../../custody/objects/state';
import { readWrite } from '../../custody/reference';
import { isSameAmount } from '../../orders/input/sameAmount';
import type { KeptRecord } from '../../store/index/records';

/** A payment that was found, and where it was. */
export type ListedPayment = {
  /** ISO 8601. */
  time: string;
  /** The workflow id. A record has only its end where the service's list has cut it. */
  order: string;
  /** The id of a payout's line. */
  line?: string;
  reference?: string;
  payee?: string;
  to: string;
  amount: string;
  /** As the order names it. The index knows no token. */
  token?: string;
  outcome: 'completed' | 'failed' | 'open';
  txHash?: string;
  transactionId: string;
  from: 'archive' | 'index';
};

/** The filter of payments. One must have all that is given. */
export type WantedPayment = {
  /** The reference of the order or of the line, or the id of the line. */
  reference?: string | undefined;
  to?: string | undefined;
  amount?: string | undefined;
};

/** The payment of a receipt. Undefined for one that has moved nothing to anybody. */
export function ofReceipt(receipt: ArchivedReceipt): ListedPayment | undefined {
  const { order, step, item, money, chain, time, outcome, transactionId } = receipt;
  if (hashOfReceipt(receipt) !== receipt.hash) {
    throw new ArchiveError(
      `STEADFAST_STORE: the receipt of ${order.id} (${step}/${item}) was changed after it was ` +
        'made. Find the row with steadfast archive verify, and restore the archive.',
    );
  }
  if (money === undefined) return undefined;
  return {
    time,
    order: order.id,
    ...(step === 'line' ? { line: item } : {}),
    ...(order.reference === undefined ? {} : { reference: order.reference }),
    ...(order.payee === undefined ? {} : { payee: order.payee }),
    to: money.to,
    amount: money.amount,
    token: money.token.name,
    outcome,
    ...(chain.txHash === undefined ? {} : { txHash: chain.txHash }),
    transactionId,
    from: 'archive',
  };
}

/** The payment of a record in the account index. Undefined for a batch, and for a call. */
export function ofRecord(record: KeptRecord): ListedPayment | undefined {
  const { refId, destinationAddress: to, amounts, state, txHash } = record;
  const [amount] = amounts ?? [];
  const write = readWrite(refId);
  if (write === undefined || write.batches !== undefined || !to || amount === undefined) {
    return undefined;
  }
  const end = finalState(state);
  return {
    time: record.createDate,
    order: write.isWhole ? write.workflowId : `…${write.workflowId}`,
    ...(write.step === 'line' ? { line: write.item } : {}),
    to,
    amount,
    outcome: end === undefined ? 'open' : end === 'COMPLETE' ? 'completed' : 'failed',
    ...(txHash ? { txHash } : {}),
    transactionId: record.id,
    from: 'index',
  };
}

/** True for a payment that somebody looks for. References are compared in any letters. */
export function isWanted(
  payment: ListedPayment,
  { reference, to, amount }: WantedPayment,
): boolean {
  const names = [payment.reference, payment.line].map((one) => one?.toLowerCase());
  return (
    (reference === undefined || names.includes(reference.toLowerCase())) &&
    (to === undefined || payment.to.toLowerCase() === to.toLowerCase()) &&
    (amount === undefined || isSameAmount(payment.amount, amount))
  );
}
