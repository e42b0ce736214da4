import { z } from 'zod';
import { accountTypes } from '../custody/objects/wallet';
import { everyOrder } from './input/fields';
import { defineKind, type OrderWrite } from './kind';
import { walletSetOf, walletsOf } from './progress/doing';

const walletName = z.string().min(1).max(100);
export const accountType = z.enum(accountTypes).default('SCA');

/** Creates a wallet set and wallets in it. */
const provisionOrder = z.strictObject({
  name: walletName,
  count: z.int().min(1).max(200).default(1),
  accountType,
  ...everyOrder,
});

export const provisionedWallet = z.object({
  walletId: z.string(),
  address: z.string(),
  accountType: z.string(),
});
export type ProvisionedWallet = z.output<typeof provisionedWallet>;

const provisionReceipt = z.object({
  walletSetId: z.string(),
  wallets: z.array(provisionedWallet),
});
export type ProvisionReceipt = z.output<typeof provisionReceipt>;

/** The writes of every order that begins with wallets of its own. */
export function provisionWrites(wanted: {
  name: string;
  count: number;
  accountType: string;
}): OrderWrite[] {
  const { name, count, accountType } = wanted;
  return [
    { path: 'walletSet/1', doing: walletSetOf(name), makes: 'walletSet', name },
    {
      path: 'wallets/1',
      doing: walletsOf(count, accountType),
      makes: 'wallets',
      count,
      accountType,
    },
  ];
}

export const provisionWallets = defineKind({
  order: provisionOrder,
  receipt: provisionReceipt,
  idWord: 'provision',
  does: 'creates a wallet set, and 1 to 200 wallets in it',
  example: { name: 'Tills', count: 3 },
  sentence: ({ name, count, accountType }) => `Create ${walletsOf(count, accountType)} "${name}"`,
  writes: provisionWrites,
});
