import { z } from 'zod';
import { checkTemplate, deployment, deployReceipt, deployWrites } from './deploy';
import { everyOrder } from './input/fields';
import { defineKind } from './kind';
import { provisionedWallet, provisionWrites } from './provision';

/** From nothing to a contract: wallet set, SCA wallet, deployment, its address, and a supply. */
const deploymentSequenceOrder = z
  .strictObject({ ...deployment, ...everyOrder })
  .transform(checkTemplate);

const deploymentSequenceReceipt = deployReceipt.extend({
  walletSetId: z.string(),
  wallet: provisionedWallet,
});

export const deploymentSequence = defineKind({
  order: deploymentSequenceOrder,
  receipt: deploymentSequenceReceipt,
  idWord: 'deploy',
  does: 'from nothing (`--sequence`): wallet set, SCA wallet, deployment, initial supply',
  example: { name: 'Our token', parameters: { name: 'Token' }, mint: { amount: '1000' } },
  sentence: ({ name }) => `Deploy "${name}" with a new wallet`,
  writes: (order) => [
    ...provisionWrites({ name: order.name, count: 1, accountType: 'SCA' }),
    ...deployWrites(order),
  ],
});
