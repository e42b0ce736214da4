import { z } from 'zod';
import { isDecimal } from '../objects/amount';
import { balanceSchema, nftSchema, tokenSchema } from '../objects/token';
import { scaCores, walletSchema } from '../objects/wallet';
import {
  addressText,
  blockchain,
  type Endpoint,
  id,
  includeAll,
  nothing,
  page,
  readEndpoint,
  writeEndpoint,
} from './endpoint';

/** A filter of a wallet's tokens. */
const held = {
  id,
  includeAll,
  name: z.string().optional(),
  /** One address, or several with commas between them. The empty one stands for the native coin. */
  tokenAddress: z.string().optional(),
  standard: z.string().optional(),
  pageBefore: page.pageBefore,
  pageAfter: page.pageAfter,
  pageSize: page.pageSize,
};

/** Balances of wallets, and the faucet. */
export const holdings = {
  listBalances: {
    ...readEndpoint,
    path: '/wallets/:id/balances',
    input: z.strictObject(held),
    output: z.object({ tokenBalances: z.array(balanceSchema) }),
  },
  listNfts: {
    ...readEndpoint,
    path: '/wallets/:id/nfts',
    input: z.strictObject(held),
    output: z.object({ nfts: z.array(nftSchema) }),
  },
  listWalletsWithBalances: {
    ...readEndpoint,
    path: '/developer/wallets/balances',
    input: z.strictObject({
      blockchain,
      address: addressText.optional(),
      scaCore: z.enum(scaCores).optional(),
      walletSetId: id.optional(),
      refId: z.string().optional(),
      /** The least amount of the token at `tokenAddress`, else of the native coin. */
      amount__gte: z.string().refine(isDecimal, { error: 'Not a decimal amount' }).optional(),
      tokenAddress: z.string().optional(),
      ...page,
    }),
    output: z.object({
      wallets: z.array(walletSchema.extend({ tokenBalances: z.array(balanceSchema) })),
    }),
  },
  getToken: {
    ...readEndpoint,
    path: '/tokens/:id',
    input: z.strictObject({ id }),
    output: z.object({ token: tokenSchema }),
  },
  requestDrip: {
    ...writeEndpoint,
    root: 'origin',
    path: '/v1/faucet/drips',
    signed: false,
    success: 204,
    input: z
      .strictObject({
        address: addressText,
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
