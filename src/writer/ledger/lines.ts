import type { LineTarget } from '../../orders/payout/lineTarget';

/** The payout of a batch of which nobody can tell whose lines it pays: it may be any. */
export const anyPayout = '';

/** The mark of a batch of which nobody can tell what it pays: all lines of its payout, maybe. */
export const anyLine = '';

/** The lines that a batch pays: the hash of the batches of its payout, and the marks of the lines. */
export type MarkedLines = { payout: string; marks: readonly string[] };

/** A payment in a batch. Its amount has the decimals of a policy. */
export type PaidLine = {
  mark: string;
  money: string;
  amount: bigint;
  /** The attempt that the mark stands for, where the payout is signed. */
  line?: LineTarget | undefined;
};
