import { z } from 'zod';
import { checkTemplate, deployment, deployReceipt } from './deploy';
import { amount, checkDecimals, everyOrder, token } from './fields';
import { fundReceipt, fundSource } from './fund';
import { accountType, provisionedWallet } from './provision';
import { transferReceipt } from './transfer';

/** From nothing to a contract: wallet set, SCA wallet, deployment, its address, and a supply. */
export const deploymentSequenceOrder = z
  .strictObject({ ...deployment, ...everyOrder })
  .transform(checkTemplate);
export type DeploymentSequenceOrder = z.input<typeof deploymentSequenceOrder>;

export const deploymentSequenceReceipt = deployReceipt.extend({
  walletSetId: z.string(),
  wallet: provisionedWallet,
});
export type DeploymentSequenceReceipt = z.output<typeof deploymentSequenceReceipt>;

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

export const transferSequenceReceipt = transferReceipt.extend({
  walletSetId: z.string(),
  sender: provisionedWallet,
  recipient: provisionedWallet,
  funded: fundReceipt
    .optional()
    .describe('Absent where the transfer was found to have been sent before.'),
});
export type TransferSequenceReceipt = z.output<typeof transferSequenceReceipt>;
