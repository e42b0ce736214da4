import type { Wallet } from '../../../src/custody/objects/wallet';

type Payments = { to: string | readonly string[]; signedBy: string; above: string };

/** A limit on payments that a group signs. Above an amount, two treasurers approve with any key. */
export function paymentRules(wallets: readonly Wallet[], { above, ...payments }: Payments) {
  const limit = {
    id: 'out',
    kind: 'limit',
    orders: ['payout', 'transferStablecoin'],
    wallets: wallets.map(({ id }) => id),
    tokens: ['USDC'],
    perTransfer: '1',
  };
  const tier = { id: 'large', kind: 'approval', need: 2, of: 'treasurers', within: 48 };
  return [
    { ...limit, ...payments },
    { ...tier, above, with: 'any' },
  ];
}
