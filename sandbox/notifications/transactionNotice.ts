import { isMonitored } from '../store/records/monitoredTokens';
import {
  isoSeconds,
  onOneLine,
  presentField,
  type Shown,
  type TransactionRow,
  toTransaction,
  transactionType,
} from '../store/records/records';
import type { TransactionStage } from '../store/records/stages';
import type { Store } from '../store/store';
import type { Outbox } from './outbox';

/**
 * The stages that have notices. The documents name all of these but DENIED and STUCK. DENIED is
 * final and STUCK needs an action, and no other notice would say so.
 */
const told: Readonly<Record<'INBOUND' | 'OUTBOUND', readonly TransactionStage[]>> = {
  OUTBOUND: ['QUEUED', 'SENT', 'STUCK', 'CONFIRMED', 'COMPLETE', 'FAILED', 'DENIED', 'CANCELLED'],
  INBOUND: ['CONFIRMED', 'COMPLETE'],
};

/** Adds a notice for each transaction that enters a new stage, in the same commit. */
export function tellOfTransactions(
  store: Pick<Store, 'transactions' | 'monitoredTokens' | 'setting'>,
  outbox: Pick<Outbox, 'add'>,
  shown: Shown,
): void {
  store.transactions.onWrite((row, before) => {
    const type = transactionType(row);
    if (row.stage === before?.stage || !told[type].includes(row.stage)) return;
    if (!isMonitored(store, row.tokenId)) return;
    outbox.add(`transactions.${type.toLowerCase()}`, toNotification(row, shown));
  });
}

/**
 * The object of the service's own notices, with its state in the hosted words: no other document
 * shows any. The native coin is the dollar, so is the fee.
 */
function toNotification(row: TransactionRow, { blockchain }: Shown) {
  const shown = toTransaction(row, { blockchain, vocabulary: 'hosted' });
  return {
    id: row.id,
    blockchain,
    walletId: row.walletId,
    ...presentField('tokenId', shown.tokenId),
    sourceAddress: shown.sourceAddress,
    ...presentField('destinationAddress', shown.destinationAddress),
    ...presentField('contractAddress', shown.contractAddress),
    amounts: row.amounts,
    nftTokenIds: row.nftTokenIds ?? [],
    refId: row.refId ?? '',
    state: shown.state,
    errorReason: row.errorReason ?? '',
    transactionType: transactionType(row),
    ...presentField('txHash', row.txHash),
    ...presentField('userOpHash', row.userOpHash),
    createDate: isoSeconds(row.createdAtMs),
    updateDate: isoSeconds(row.updatedAtMs),
    errorDetails: onOneLine(row.errorDetails) ?? null,
    networkFee: shown.networkFee,
    networkFeeInUSD: shown.networkFee,
  };
}
