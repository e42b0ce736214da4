import type { CheckedLines } from '../input/checkedLines';

/** A write that an order would make, as a dry run tells it. */
type PlannedWrite = {
  /** "<step>/<item>#<generation>", as in progress and in resolve. */
  target: string;
  /** The write in words. */
  doing: string;
  /** The idempotency key it would be sent under. */
  key: string;
  /** The word of the writer's policy, where it has one. Sums over time are not looked at. */
  policy?: string;
};

export type Fee = {
  /** In the native coin, decimal, at the fee level of the order. */
  networkFee: string;
  gasLimit: string;
  paidBy: 'wallet' | 'paymaster';
};

/** The result of a dry run: what the order would do. Nothing of it was done. */
export type Plan = {
  dryRun: true;
  /** The id that the order itself would have. */
  workflowId: string;
  kind: string;
  /** In the order in which they would be made. */
  writes: PlannedWrite[];
  /** The fee of the first write. Set only if everything that this write needs exists. */
  fee?: Fee | undefined;
  /** Other events and waits of the order, and the reason if it would send nothing. */
  notes: string[];
  /** The checks of a transfer that a worker has run. The notes tell what they have found. */
  checks?: CheckedLines | undefined;
};

/** Start of a dry run's id, before the id of the order itself. */
export const dryPrefix = 'dry:';
