import type { ContractRow } from '../store/records/contractRecord';
import type { TransactionRow } from '../store/records/records';
import type { TransactionStage } from '../store/records/stages';
import type { Store } from '../store/store';
import { nextStage, type StageEvent } from './lifecycle';

type Records = Pick<Store, 'transactions' | 'contracts' | 'wallets'>;

/** Why it failed, in the service's words and in our own. */
export type Failure = { errorReason: string; errorDetails: string };

/** Moves a transaction on, as the lifecycle has it. Throws where it has not. */
export function move(
  records: Records,
  row: TransactionRow,
  { event, ...facts }: { event: StageEvent } & Partial<TransactionRow>,
): TransactionRow {
  return setStage(records, row, { ...facts, stage: nextStage(row.stage, event) });
}

/** Writes a transaction's stage down, and what follows from it for its contract or wallet. */
export function setStage(
  { transactions, contracts, wallets }: Records,
  { id }: { id: string },
  facts: { stage: TransactionStage } & Partial<TransactionRow>,
): TransactionRow {
  const updatedAtMs = Date.now();
  const row = transactions.update(id, { ...facts, updatedAtMs });
  if (row.contractId !== undefined) {
    contracts.update(row.contractId, { ...contractFields(row), updatedAtMs });
  }
  if (row.stage === 'COMPLETE' && row.newScaCore !== undefined) {
    wallets.update(row.walletId, { scaCore: row.newScaCore, updatedAtMs });
  }
  return row;
}

const noError = { errorReason: undefined, errorDetails: undefined };

function contractFields(row: TransactionRow): Partial<ContractRow> {
  const { txHash, errorReason, errorDetails } = row;
  const mined = { mined: true, ...(txHash === undefined ? {} : { txHash }) };
  switch (row.stage) {
    case 'COMPLETE':
      return { status: 'COMPLETE', ...mined, ...noError };
    case 'CONFIRMED':
      return { status: 'PENDING', ...mined, ...noError };
    case 'FAILED':
    case 'DENIED':
    case 'CANCELLED':
      return {
        status: 'FAILED',
        errorReason: errorReason ?? row.stage,
        errorDetails: errorDetails ?? `The deployment transaction is ${row.stage}.`,
      };
    default:
      return { status: 'PENDING', ...noError };
  }
}
