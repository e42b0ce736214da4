import { z } from 'zod';
import { isDecimal } from '../amount';
import { balanceSchema, nftSchema, tokenSchema } from '../token';
import { scaCores, walletSchema } from '../wallet';
import {
  address,
  blockchain,
  type Endpoint,
  id,
  includeAll,
  nothing,
  page,
  read,
  write,
} from './endpoint';

/** Which of what a wallet holds. */
const held = {
  id,
  includeAll,
  name: z.string().optional(),
  /** One, or several with commas between them; the empty one is the native coin's. */
  tokenAddress: z.string().optional(),
  standard: z.string().optional(),
  pageBefore: page.pageBefore,
  pageAfter: page.pageAfter,
  pageSize: page.pageSize,
};

/** What wallets hold, and the faucet that they have it from. */
export const holdings = {
  listBalances: {
    ...read,
    path: '/wallets/:id/balances',
    input: z.strictObject(held),
    output: z.object({ tokenBalances: z.array(balanceSchema) }),
  },
  listNfts: {
    ...read,
    path: '/wallets/:id/nfts',
    input: z.strictObject(held),
    output: z.object({ nfts: z.array(nftSchema) }),
  },
  listWalletsWithBalances: {
    ...read,
    path: '/developer/wallets/balances',
    input: z.strictObject({
      blockchain,
      address: address.optional(),
      scaCore: z.enum(scaCores).optional(),
      walletSetId: id.optional(),
      refId: z.string().optional(),
      /** Of the token at `tokenAddress`, else of the native coin. */
      amount__gte: z.string().refine(isDecimal, { error: 'Not a decimal amount' }).optional(),
      tokenAddress: z.string().optional(),
      ...page,
    }),
    output: z.object({
      wallets: z.array(walletSchema.extend({ tokenBalances: z.array(balanceSchema) })),
    }),
  },
  getToken: {
    ...read,
    path: '/tokens/:id',
    input: z.strictObject({ id }),
    output: z.object({ token: tokenSchema }),
  },
  requestDrip: {
    ...write,
    root: 'origin',
    path: '/v1/faucet/drips',
    signed: false,
    success: 204,
    input: z
      .strictObject({
        address,
        blockchain,
        native: z.boolean().optional(),
        usdc: z.boolean().optional(),
        eurc: z.boolean().optional(),
      })
      .refine(({ native, usdc, eurc }) => native || usdc || eurc, {
        path: ['usdc'],
        error: 'One of native, usdc and eurc must be true',
      }),
    output: nothing,
  },
} as const satisfies Record<string, Endpoint>;
