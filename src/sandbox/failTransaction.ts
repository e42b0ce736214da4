import { nextStage } from './lifecycle';
import type { TransactionRow } from './records';
import type { Store } from './store';

/** Why it failed, in the service's words and in our own; where it was mined, the facts of that. */
export type Failure = Partial<TransactionRow> & { errorReason: string; errorDetails: string };

/** Ends a transaction FAILED, and with it the contract that it was to deploy. */
export function failTransaction(
  store: Pick<Store, 'transactions' | 'contracts'>,
  row: TransactionRow,
  failure: Failure,
): void {
  const { errorReason, errorDetails } = failure;
  const updatedAtMs = Date.now();
  const stage = nextStage(row.stage, 'failed');
  store.transactions.update(row.id, { ...failure, stage, updatedAtMs });
  if (row.contractId === undefined) return;
  const status = 'FAILED';
  store.contracts.update(row.contractId, { status, errorReason, errorDetails, updatedAtMs });
}
