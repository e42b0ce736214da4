import { z } from 'zod';
import { balanceSchema, tokenSchema } from '../token';
import { accountTypes, walletSchema, walletSetSchema } from '../wallet';
import { address, type Endpoint, id, idempotencyKey, read, write } from './endpoint';

/** Wallet sets, wallets, and what they hold. */
export const wallets = {
  createWalletSet: {
    ...write,
    path: '/developer/walletSets',
    input: z.strictObject({ idempotencyKey, name: z.string().max(255).optional() }),
    output: z.object({ walletSet: walletSetSchema }),
  },
  getWalletSet: {
    ...read,
    path: '/walletSets/:id',
    input: z.strictObject({ id }),
    output: z.object({ walletSet: walletSetSchema }),
  },
  createWallets: {
    ...write,
    path: '/developer/wallets',
    rate: 'frequentWrites',
    input: z.strictObject({
      idempotencyKey,
      walletSetId: id,
      blockchains: z.array(z.string()).min(1).max(20),
      count: z.int().min(1).max(200).optional(),
      accountType: z.enum(accountTypes).optional(),
      metadata: z
        .array(z.strictObject({ name: z.string().optional(), refId: z.string().optional() }))
        .max(200)
        .optional(),
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  getWallet: {
    ...read,
    path: '/wallets/:id',
    input: z.strictObject({ id }),
    output: z.object({ wallet: walletSchema }),
  },
  listWallets: {
    ...read,
    path: '/wallets',
    input: z.strictObject({
      address: address.optional(),
      blockchain: z.string().optional(),
      walletSetId: id.optional(),
      refId: z.string().optional(),
      pageSize: z.coerce.number<number | string>().int().min(1).optional(),
      pageAfter: id.optional(),
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  listBalances: {
    ...read,
    path: '/wallets/:id/balances',
    input: z.strictObject({
      id,
      tokenAddress: z.string().optional(),
      includeAll: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    }),
    output: z.object({ tokenBalances: z.array(balanceSchema) }),
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
    input: z.strictObject({
      address,
      blockchain: z.string(),
      native: z.boolean().optional(),
      usdc: z.boolean().optional(),
      eurc: z.boolean().optional(),
    }),
    output: z.object({}),
  },
} as const satisfies Record<string, Endpoint>;
