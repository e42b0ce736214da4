import { fault, type Side } from '../../errors/errors';
import { requireServed } from '../../errors/requireServed';
import type { Store } from '../store';
import type { WalletRow } from './records';

/**
 * Wallets here are keys for any EVM test chain: no chain is behind them, so that they sign, and
 * neither send nor hold anything.
 */
export const keysOnly = 'EVM-TESTNET';

/** Refuses a chain that wallets cannot be on. */
export function requireWalletBlockchain(blockchain: string, served: string): void {
  if (blockchain !== keysOnly) requireServed({ blockchain, served });
}

/** Refuses a wallet that has no chain to send on, or to hold anything on. */
export function requireChain(
  { blockchain }: Pick<WalletRow, 'blockchain'>,
  side: Side = 'wallets',
): void {
  if (blockchain === keysOnly) throw fault('notOnBlockchain', side);
}

/** The wallets of an address on one chain. Wallets of other chains may have the same address. */
export function walletsAt(
  { wallets }: Pick<Store, 'wallets'>,
  place: { address: string; blockchain: string },
): WalletRow[] {
  return wallets.list({ filters: place, order: 'ASC' });
}
