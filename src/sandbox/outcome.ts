import type { TransactionReceipt } from 'viem';
import type { TransactionResult } from './chain/mineBlock';
import { readOutcomes } from './chain/readOutcomes';
import { failTransaction } from './failTransaction';
import { toNetworkFee } from './fees';
import { nextStage } from './lifecycle';
import type { TransactionRow } from './records';
import type { Service } from './service';

type Parts = Pick<Service, 'store' | 'chain'>;

/** Writes down what became of signed transactions, for every record that each of them carries. */
export function conclude(parts: Parts, results: readonly TransactionResult[]): void {
  const { store } = parts;
  for (const result of results) {
    for (const row of store.transactions.where('txHash', result.hash)) {
      if (result.included) concludeMined(parts, row, result.receipt);
      else {
        const errorDetails = `The node did not take the transaction: ${result.reason}.`;
        failTransaction(store, row, { errorReason: 'INTERNAL_ERROR', errorDetails });
      }
    }
    store.broadcasts.update(result.hash, { status: 'done' });
  }
}

function concludeMined(
  { store, chain }: Parts,
  row: TransactionRow,
  receipt: TransactionReceipt,
): void {
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
}

function confirm(store: Parts['store'], row: TransactionRow, mined: Partial<TransactionRow>): void {
  const updatedAtMs = Date.now();
  const stage = nextStage(row.stage, 'mined');
  store.transactions.update(row.id, { ...mined, stage, updatedAtMs });
  if (row.contractId === undefined || row.txHash === undefined) return;
  store.contracts.update(row.contractId, { mined: true, txHash: row.txHash, updatedAtMs });
}
