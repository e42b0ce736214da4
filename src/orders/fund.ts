import { z } from 'zod';
import { amount, checkDecimals, everyOrder, token, walletReference } from './input/fields';
import { brief, defineKind, type OrderWrite, type Resolved } from './kind';
import { transferOf } from './progress/doing';

/**
 * Source of the money: the faucet of the test network, another wallet of ours, or anyone. In the
 * last case the order tells what to send where and waits, for days if need be.
 */
export const fundSource = z
  .union([z.literal('faucet'), z.literal('external'), walletReference], {
    error: 'must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}',
  })
  .default('faucet');

/** Sees to it that a wallet holds at least an amount of a token. */
const fundOrder = z
  .strictObject({ wallet: walletReference, amount, token, source: fundSource, ...everyOrder })
  .superRefine(checkDecimals);
export type FundOrder = z.input<typeof fundOrder>;

export const fundReceipt = z.object({
  walletId: z.string(),
  address: z.string(),
  token: z.string(),
  balance: z.string().describe('The balance of the wallet when it was enough.'),
  source: z
    .enum(['none', 'faucet', 'external', 'treasury'])
    .describe('Source of the money. None was needed when the wallet held enough already.'),
  polls: z.number().describe('How often the balance was read until it was enough.'),
});
export type FundReceipt = z.output<typeof fundReceipt>;

/** Money that a wallet needs, and its source. */
type Funding = { amount: string; token: string; source: z.output<typeof fundSource> };

/** Only a treasury wallet makes a write: the faucet takes no key, and anyone else is not ours. */
export function fundWrites(
  { amount, token, source }: Funding,
  { treasury: from }: Resolved,
  to: string,
): OrderWrite[] {
  if (typeof source === 'string') return [];
  const doing = transferOf(amount, token, to);
  return [{ path: 'fund/1', doing, makes: 'transfer', from, to, amount }];
}

export function fundNote({ amount, token, source }: Funding, to: string): string {
  if (source === 'faucet') {
    return 'The faucet is asked, which takes no key, and the order waits for the balance.';
  }
  if (source === 'external') {
    return `The order waits until somebody sends ${amount} ${token} to ${to}.`;
  }
  return 'The treasury sends it.';
}

export const fundWallet = defineKind({
  order: fundOrder,
  receipt: fundReceipt,
  idWord: 'fund',
  does: 'makes a wallet hold at least an amount: from the faucet, a treasury wallet, or anyone',
  example: {
    wallet: { walletAddress: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d' },
    amount: '20',
    token: 'USDC',
    source: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
  },
  sentence: ({ amount, token, wallet, source }) =>
    `Fund ${brief(wallet)} to at least ${amount} ${brief(token)} from ${sourceOf(source)}`,
  isMetByBalance: true,
  writes: (order, named) => fundWrites(order, named, named.wallet?.address ?? ''),
  notes: (order, { wallet }) => [fundNote(order, wallet?.address ?? '')],
});

/** The source in words. */
export function sourceOf(source: Funding['source']): string {
  if (source === 'external') return 'anyone';
  return source === 'faucet' ? 'the faucet' : brief(source);
}
