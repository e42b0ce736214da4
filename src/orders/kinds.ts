import type { z } from 'zod';
import { type DeployReceipt, deployOrder } from './deploy';
import { type FundReceipt, fundOrder } from './fund';
import { type MintReceipt, mintOrder } from './mint';
import { type ProvisionReceipt, provisionOrder } from './provision';
import {
  type DeploymentSequenceReceipt,
  deploymentSequenceOrder,
  type TransferSequenceReceipt,
  transferSequenceOrder,
} from './sequences';
import { type TransferReceipt, transferOrder } from './transfer';

/** Every kind of order, by the name of the workflow that carries it out. */
export const orderSchemas = {
  provisionWallets: provisionOrder,
  deployContract: deployOrder,
  mintTokens: mintOrder,
  fundWallet: fundOrder,
  transferStablecoin: transferOrder,
  deploymentSequence: deploymentSequenceOrder,
  transferSequence: transferSequenceOrder,
} as const;

export type OrderKind = keyof typeof orderSchemas;

/** The transactions that an order of a kind may make, each of which can be attempted anew. */
export const attempted: Readonly<Record<OrderKind, readonly string[]>> = {
  provisionWallets: [],
  deployContract: ['deploy/1', 'mint/1'],
  mintTokens: ['mint/1'],
  fundWallet: ['fund/1'],
  transferStablecoin: ['transfer/1'],
  deploymentSequence: ['deploy/1', 'mint/1'],
  transferSequence: ['fund/1', 'transfer/1'],
};

/** The order as a caller writes it. */
export type Order<Kind extends OrderKind> = z.input<(typeof orderSchemas)[Kind]>;

/** The order once it has been read: defaults filled in, addresses and amounts in one form. */
export type ReadOrder<Kind extends OrderKind> = z.output<(typeof orderSchemas)[Kind]>;

export type Receipts = {
  provisionWallets: ProvisionReceipt;
  deployContract: DeployReceipt;
  mintTokens: MintReceipt;
  fundWallet: FundReceipt;
  transferStablecoin: TransferReceipt;
  deploymentSequence: DeploymentSequenceReceipt;
  transferSequence: TransferSequenceReceipt;
};
export type Receipt<Kind extends OrderKind> = Receipts[Kind];
