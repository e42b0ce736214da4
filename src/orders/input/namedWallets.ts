import type { WalletReference } from './fields';

/** The fields in which orders name wallets. Each kind has some of them. */
export type NamingWallets = {
  /** Every order has them. */
  generations: Readonly<Record<string, number>>;
  from?: WalletReference;
  wallet?: WalletReference;
  into?: WalletReference;
  walletId?: string;
  wallets?: readonly string[];
  source?: string | WalletReference;
};

/** The wallets that an order names: its main one with its field, several by id, and a treasury. */
type NamedWallets = {
  main: { field: string; reference: WalletReference } | undefined;
  several: readonly string[] | undefined;
  treasury: WalletReference | undefined;
};

/** Finds the wallets that an order names, whatever its kind calls them. */
export function namedWallets(order: NamingWallets): NamedWallets {
  const { walletId, wallets: several, source } = order;
  const field = (['from', 'wallet', 'into'] as const).find((name) => order[name] !== undefined);
  const reference = field === undefined ? walletId && { walletId } : order[field];
  return {
    main: reference ? { field: field ?? 'walletId', reference } : undefined,
    several,
    treasury: typeof source === 'object' ? source : undefined,
  };
}
