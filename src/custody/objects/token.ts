import { z } from 'zod';

/** A token as the service describes it. The native coin has no address. */
export const tokenSchema = z.object({
  id: z.string(),
  blockchain: z.string(),
  isNative: z.boolean(),
  name: z.string().optional(),
  symbol: z.string().optional(),
  decimals: z.int().nonnegative().optional(),
  standard: z.string().optional(),
  tokenAddress: z.string().optional(),
  createDate: z.string(),
  updateDate: z.string(),
});
export type Token = z.output<typeof tokenSchema>;

/** All tokens are in lists and notices, or only the selected ones. */
export const monitorScopes = ['SELECTED', 'MONITOR_ALL'] as const;
export type MonitorScope = (typeof monitorScopes)[number];

/** A wallet's balance of one token, in the token's own decimal units. */
export const balanceSchema = z.object({
  amount: z.string(),
  token: tokenSchema,
  updateDate: z.string(),
});
export type Balance = z.output<typeof balanceSchema>;

/** A wallet's balance of one item of an ERC-721 or ERC-1155 token. */
export const nftSchema = z.object({
  amount: z.string(),
  nftTokenId: z.string().optional(),
  /** The URI of its description, from the token itself. */
  metadata: z.string().optional(),
  token: tokenSchema,
  updateDate: z.string(),
});
export type Nft = z.output<typeof nftSchema>;
