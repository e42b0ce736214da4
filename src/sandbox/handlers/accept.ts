import { fault, type Side } from '../errors';
import { pendingStages } from '../lifecycle';
import type { HandlerOptions, Service } from '../service';
import type { TransactionRow, WalletRow } from '../store/records';

/**
 * Stores a new transaction, or refuses it for what its wallet may not do now. Asks nobody else, so
 * that in the commit of the answer it decides for good, however many requests come at a time.
 */
export function accept(
  { store, settings }: Pick<Service, 'store' | 'settings'>,
  row: TransactionRow,
  { side, fate }: { side: Side } & Pick<HandlerOptions, 'fate'>,
): void {
  const { transactions } = store;
  const wallet = store.wallets.get(row.walletId);
  if (wallet?.frozen) throw fault('walletFrozen', side);
  if (transactions.countOf(row.walletId, pendingStages) >= settings.pendingMax) {
    throw fault('tooManyPending', side);
  }
  if (wallet && isFirstUnderWay(store, wallet)) throw fault('firstInProgress', side);
  transactions.insert(fate === undefined ? row : { ...row, fate });
}

/**
 * A smart account is created with its first operation; until that is queued, the service takes no
 * other (hosted-service facts §11.5).
 */
function isFirstUnderWay({ transactions }: Service['store'], wallet: WalletRow): boolean {
  if (wallet.accountType === 'EOA' || wallet.deployed) return false;
  const isEntering = transactions.countOf(wallet.id, ['INITIATED', 'CLEARED']) > 0;
  return isEntering && transactions.countOf(wallet.id, ['QUEUED', 'SENT', 'STUCK']) === 0;
}
