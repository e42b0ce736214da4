import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';

/**
 * A shard and all it asks for: an order of its own, which says nothing of its priority, has 3, and
 * what has a smaller number goes first where a rate limit makes calls wait.
 */
export const behindOrders = { priorityKey: 4 } as const;

/** What all shards of a payout share. */
export type PayoutTerms = {
  /** Of the payout: all keys and references follow from it, and none from a shard. */
  workflowId: string;
  wallets: ResolvedWallet[];
  feeLevel: FeeLevel;
  validUntil: string | undefined;
  /** What each wallet keeps of each token that is paid, if anything. */
  reserve: string | undefined;
  blockchain: string;
  baseUrl: string;
  nativeTwins: readonly string[];
  keyLifetimeMs: number;
  lookupGraceMs: number;
  checksReceipts: boolean;
};

export type ShardLine = {
  lineId: string;
  to: string;
  amount: string;
  /** As the order calls it. */
  token: string;
  /** Which of the payout's wallets pays it. */
  wallet: number;
};

/** One part of a payout, as the workflow that pays it is started. */
export type ShardOrder = {
  terms: PayoutTerms;
  part: number;
  tokens: ResolvedToken[];
  lines: ShardLine[];
  /** New attempts that were decided upon, by line. */
  generations: Record<string, number>;
};

/** The id of the workflow that pays a part. Without a part, the beginning that all of them share. */
export function shardIdOf(payoutWorkflowId: string, part: number | ''): string {
  return `${payoutWorkflowId}:shard:${part}`;
}
