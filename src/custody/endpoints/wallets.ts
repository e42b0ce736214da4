import { z } from 'zod';
import { accountTypes, scaCores, walletSchema, walletSetSchema } from '../objects/wallet';
import {
  addressText,
  blockchain,
  type Endpoint,
  id,
  idempotencyKeySchema,
  order,
  page,
  readEndpoint,
  refIdSchema,
  writeEndpoint,
} from './endpoint';

const name = z.string().max(255).optional();
const labels = { name, refId: refIdSchema };
const metadata = z.strictObject(labels);

const oneSet = z.object({ walletSet: walletSetSchema });
const oneWallet = z.object({ wallet: walletSchema });

/** Wallet sets and wallets. */
export const wallets = {
  createWalletSet: {
    ...writeEndpoint,
    path: '/developer/walletSets',
    input: z.strictObject({ idempotencyKey: idempotencyKeySchema, name }),
    output: oneSet,
  },
  updateWalletSet: {
    ...writeEndpoint,
    method: 'PUT',
    path: '/developer/walletSets/:id',
    signed: false,
    success: 200,
    input: z.strictObject({ id, name }),
    output: oneSet,
  },
  getWalletSet: {
    ...readEndpoint,
    path: '/walletSets/:id',
    input: z.strictObject({ id }),
    output: oneSet,
  },
  listWalletSets: {
    ...readEndpoint,
    path: '/walletSets',
    input: z.strictObject({ ...page, order }),
    output: z.object({ walletSets: z.array(walletSetSchema) }),
  },
  createWallets: {
    ...writeEndpoint,
    path: '/developer/wallets',
    rate: 'frequentWrites',
    input: z.strictObject({
      idempotencyKey: idempotencyKeySchema,
      walletSetId: id,
      blockchains: z.array(blockchain).min(1).max(20),
      count: z.int().min(1).max(200).optional(),
      accountType: z.enum(accountTypes).optional(),
      metadata: z.array(metadata).max(200).optional(),
    }),
    output: z.object({ wallets: z.array(walletSchema) }),
  },
  getWallet: {
    ...readEndpoint,
    path: '/wallets/:id',
    input: z.strictObject({ id }),
    output: oneWallet,
  },
  listWallets: {
    ...readEndpoint,
    path: '/wallets',
    input: z.strictObject({
      address: addressText.optional(),
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
    ...writeEndpoint,
    method: 'PUT',
    path: '/wallets/:id',
    signed: false,
    success: 200,
    input: z.strictObject({ id, ...labels }),
    output: oneWallet,
  },
  /** Created where it is new (201). Otherwise it gets what the metadata says (200). */
  deriveWallet: {
    ...writeEndpoint,
    method: 'PUT',
    path: '/developer/wallets/:id/blockchains/:blockchain',
    signed: false,
    rate: 'frequentWrites',
    input: z.strictObject({ id, blockchain, metadata: metadata.optional() }),
    output: oneWallet,
  },
  deriveWalletByAddress: {
    ...writeEndpoint,
    method: 'PUT',
    path: '/developer/wallets/derive',
    signed: false,
    input: z.strictObject({
      sourceBlockchain: blockchain,
      walletAddress: addressText,
      targetBlockchain: blockchain,
      metadata: metadata.optional(),
    }),
    output: oneWallet,
  },
} as const satisfies Record<string, Endpoint>;
