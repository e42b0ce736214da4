import { blockchainFault } from './blockchainFault';
import { type ApiError, fault, type Side } from './errors';
import type { WalletRow } from './store/records';
import type { Store } from './store/store';

/**
 * Wallets here are keys for any EVM test chain: no chain is behind them, so that they sign, and
 * neither send nor hold anything.
 */
export const keysOnly = 'EVM-TESTNET';

/** What is wrong with a chain that wallets are to be on; undefined where they can be. */
export function walletBlockchainFault(blockchain: string, served: string): ApiError | undefined {
  return blockchain === keysOnly ? undefined : blockchainFault({ blockchain, served });
}

/** Refuses a wallet that has no chain to send on, or to hold anything on. */
export function requireChain(
  { blockchain }: Pick<WalletRow, 'blockchain'>,
  side: Side = 'wallets',
): void {
  if (blockchain === keysOnly) throw fault('notOnBlockchain', side);
}

/** The wallets of an address on one chain: those of other chains may have the same address. */
export function walletsAt(
  { wallets }: Pick<Store, 'wallets'>,
  place: { address: string; blockchain: string },
): WalletRow[] {
  return wallets.list({ filters: place, order: 'ASC' });
}
