import { z } from 'zod';
import { accountTypes, scaCores, walletSchema, walletSetSchema } from '../objects/wallet';
import {
  address,
  blockchain,
  type Endpoint,
  id,
  idempotencyKey,
  order,
  page,
  read,
  refId,
  write,
} from './endpoint';

const metadata = z.strictObject({ name: z.string().optional(), refId: z.string().optional() });

const oneSet = z.object({ walletSet: walletSetSchema });
const oneWallet = z.object({ wallet: walletSchema });

/** Wallet sets and wallets. */
export const wallets = {
  createWalletSet: {
    ...write,
    path: '/developer/walletSets',
    input: z.strictObject({ idempotencyKey, name: z.string().max(255).optional() }),
    output: oneSet,
  },
  updateWalletSet: {
    ...write,
    method: 'PUT',
    path: '/developer/walletSets/:id',
    signed: false,
    success: 200,
    input: z.strictObject({ id, name: z.string().max(255).optional() }),
    output: oneSet,
  },
  getWalletSet: {
    ...read,
    path: '/walletSets/:id',
    input: z.strictObject({ id }),
    output: oneSet,
  },
  listWalletSets: {
    ...read,
    path: '/walletSets',
    input: z.strictObject({ ...page, order }),
    output: z.object({ walletSets: z.array(walletSetSchema) }),
  },
  createWallets: {
    ...write,
    path: '/developer/wallets',
    rate: 'frequentWrites',
    input: z.strictObject({
      idempotencyKey,
      walletSetId: id,
      blockchains: z.array(blockchain).min(1).max(20),
      count: z.int().min(1).max(200).optional(),
      accountType: z.enum(accountTypes).optional(),
      metadata: z.array(metadata).max(200).optional(),
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  getWallet: {
    ...read,
    path: '/wallets/:id',
    input: z.strictObject({ id }),
    output: oneWallet,
  },
  listWallets: {
    ...read,
    path: '/wallets',
    input: z.strictObject({
      address: address.optional(),
      blockchain: blockchain.optional(),
      scaCore: z.enum(scaCores).optional(),
      walletSetId: id.optional(),
      refId: z.string().optional(),
      ...page,
      order,
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  updateWallet: {
    ...write,
    method: 'PUT',
    path: '/wallets/:id',
    signed: false,
    success: 200,
    input: z.strictObject({ id, name: z.string().max(255).optional(), refId }),
    output: oneWallet,
  },
  /** Created where it is new (201). Otherwise it gets what the metadata says (200). */
  deriveWallet: {
    ...write,
    method: 'PUT',
    path: '/developer/wallets/:id/blockchains/:blockchain',
    signed: false,
    rate: 'frequentWrites',
    input: z.strictObject({ id, blockchain, metadata: metadata.optional() }),
    output: oneWallet,
  },
  deriveWalletByAddress: {
    ...write,
    method: 'PUT',
    path: '/developer/wallets/derive',
    signed: false,
    input: z.strictObject({
      sourceBlockchain: blockchain,
      walletAddress: address,
      targetBlockchain: blockchain,
      metadata: metadata.optional(),
    }),
    output: oneWallet,
  },
} as const satisfies Record<string, Endpoint>;
