import type { SenderKept } from '../../src/chain/batching';
import type { ResolvedToken, ResolvedWallet } from '../../src/orders/kind';
import type { ReadPayout } from '../../src/orders/payout';
import type { LineBeside } from '../../src/orders/payout/lineBeside';
import type { OpenedOrder } from '../guard/openOrder';

/**
 * The priority of shards and of their calls. A single order has Temporal's default of 3, so it goes
 * first where a rate limit makes calls wait.
 */
export const behindOrders = { priorityKey: 4 } as const;

/** The terms that all shards of a payout share. */
export type PayoutTerms = Pick<
  OpenedOrder<'payout'>,
  | ('blockchain' | 'memory')
  | ('keyLifetimeMs' | 'lookupGraceMs' | 'checksReceipts' | 'batchesFrom')
  | ('archives' | 'answers')
> & {
  /** The payout's id. All keys and references follow from it, and none from a shard's. */
  workflowId: string;
  wallets: ResolvedWallet[];
  /** Without the request of a signed payout. */
  order: Omit<ReadPayout, 'lines'>;
};

/** A token of some lines. */
export type PayoutToken = ResolvedToken & {
  /** The ways of calling it that show it an account with a key as the sender. Unset: none. */
  keepsSender?: SenderKept;
};

type ShardLine = {
  lineId: string;
  to: string;
  amount: string;
  /** As the order calls it. */
  token: string;
  /** Place of its wallet among those of the payout. */
  wallet: number;
} & LineBeside;

/** One part of a payout, as the workflow that pays it is started. */
export type ShardOrder = {
  terms: PayoutTerms;
  part: number;
  tokens: PayoutToken[];
  lines: ShardLine[];
};

/** A part that was accepted. */
export type AddedPart = {
  part: number;
  shardId: string;
  lines: number;
  /** By token, in its own units. */
  totals: Record<string, string>;
  hash: string;
};
