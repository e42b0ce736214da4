import type { TransactionReceipt } from 'viem';
import type { TransactionResult } from './chain/mineBlock';
import { readOutcomes } from './chain/readOutcomes';
import { failTransaction } from './failTransaction';
import { toNetworkFee } from './fees';
import { recordArrivals } from './inbound';
import { nextStage } from './lifecycle';
import { type TransactionRow, transactionType } from './records';
import type { Service } from './service';

type Parts = Pick<Service, 'store' | 'chain' | 'tokens'>;

/** Writes down what became of signed transactions, for every record that each of them carries. */
export function conclude(parts: Parts, results: readonly TransactionResult[]): void {
  const { store } = parts;
  for (const result of results) {
    const rows = store.transactions
      .where('txHash', result.hash)
      .filter((row) => transactionType(row) === 'OUTBOUND');
    if (result.included) {
      const { receipt } = result;
      const succeeded = rows.filter((row) => concludeMined(parts, row, receipt));
      recordArrivals(parts, receipt, succeeded);
    } else {
      const errorDetails = `The node did not take the transaction: ${result.reason}.`;
      const failure = { errorReason: 'INTERNAL_ERROR', errorDetails };
      for (const row of rows) failTransaction(store, row, failure);
    }
    store.broadcasts.update(result.hash, { status: 'done' });
  }
}

/** Returns whether it has done what it was to do. */
function concludeMined(
  { store, chain }: Parts,
  row: TransactionRow,
  receipt: TransactionReceipt,
): boolean {
  const outcome = readOutcomes(receipt, chain.contracts).find(
    ({ userOpHash }) => userOpHash === row.userOpHash,
  );
  const success = outcome?.success ?? (receipt.status === 'success' && !row.userOpHash);
  const paid = outcome?.actualGasCost ?? receipt.gasUsed * receipt.effectiveGasPrice;
  const mined = {
    blockHash: receipt.blockHash,
    blockHeight: Number(receipt.blockNumber),
    networkFee: toNetworkFee(paid),
    confirmedAtMs: Date.now(),
  };
  if (success) confirm(store, row, mined);
  else {
    const errorDetails = outcome?.revertReason ?? 'The transaction reverted.';
    failTransaction(store, row, { ...mined, errorReason: 'FAILED_ON_CHAIN', errorDetails });
  }
  return success;
}

function confirm(store: Parts['store'], row: TransactionRow, mined: Partial<TransactionRow>): void {
  const updatedAtMs = Date.now();
  const stage = nextStage(row.stage, 'mined');
  store.transactions.update(row.id, { ...mined, stage, updatedAtMs });
  if (row.contractId === undefined || row.txHash === undefined) return;
  store.contracts.update(row.contractId, { mined: true, txHash: row.txHash, updatedAtMs });
}
