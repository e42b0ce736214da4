import { z } from 'zod';
import { checkParameters, type DeployReceipt, deployment } from './deploy';
import { amount, checkDecimals, everyOrder, token } from './fields';
import { type FundReceipt, fundSource } from './fund';
import { accountType, type ProvisionedWallet } from './provision';
import type { TransferReceipt } from './transfer';

/** From nothing to a contract: wallet set, SCA wallet, deployment, its address, and a supply. */
export const deploymentSequenceOrder = z
  .strictObject({ ...deployment, ...everyOrder })
  .transform(checkParameters);
export type DeploymentSequenceOrder = z.input<typeof deploymentSequenceOrder>;

export type DeploymentSequenceReceipt = DeployReceipt & {
  walletSetId: string;
  wallet: ProvisionedWallet;
};

/** From nothing to a settled transfer: wallet set, two wallets, funding, transfer. */
export const transferSequenceOrder = z
  .strictObject({
    name: z.string().min(1).max(100),
    accountType,
    amount,
    token,
    source: fundSource,
    ...everyOrder,
  })
  .superRefine(checkDecimals);
export type TransferSequenceOrder = z.input<typeof transferSequenceOrder>;

export type TransferSequenceReceipt = TransferReceipt & {
  walletSetId: string;
  sender: ProvisionedWallet;
  recipient: ProvisionedWallet;
  /** Absent where the transfer was found to have been sent before. */
  funded?: FundReceipt | undefined;
};
