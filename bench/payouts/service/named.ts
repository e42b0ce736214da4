import { fault } from '../../../sandbox/errors/errors';
import type { Ledger, LedgerWallet } from './ledger';
import { tokens } from './tokens';

/** The wallet of a call, by its id or its address. */
export type Sender = { walletId?: string | undefined; walletAddress?: string | undefined };

/** Refuses a call of a wallet that is not there. */
export function walletOf(ledger: Ledger, { walletId, walletAddress }: Sender): LedgerWallet {
  const wallet =
    walletId === undefined
      ? [...ledger.wallets.values()].find((one) => isOf(one, { address: walletAddress }))
      : ledger.wallets.get(walletId);
  if (wallet === undefined) throw fault('noWallet');
  return wallet;
}

type Marks = { address?: string | undefined; walletSetId?: string | undefined };

/** True if a wallet has all of these marks. */
export function isOf(wallet: LedgerWallet, { address, walletSetId }: Marks): boolean {
  if (walletSetId !== undefined && wallet.walletSetId !== walletSetId) return false;
  return address === undefined || wallet.address === address.toLowerCase();
}

/** Refuses a token that is not there. */
export function tokenOf(named: {
  tokenId?: string | undefined;
  tokenAddress?: string | undefined;
}) {
  const address = named.tokenAddress?.toLowerCase() ?? '';
  const token = tokens.find(({ id, tokenAddress = '' }) =>
    named.tokenId === undefined ? tokenAddress === address : id === named.tokenId,
  );
  if (token === undefined) throw fault('noToken');
  return token;
}
