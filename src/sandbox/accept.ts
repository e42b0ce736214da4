import { fault, type Side } from './errors';
import type { TransactionRow } from './records';
import type { HandlerOptions, Service } from './service';

/**
 * Stores a new transaction, or refuses it for what its wallet may not do now. Asks nobody else, so
 * that in the commit of the answer it decides for good, however many requests come at a time.
 */
export function accept(
  { store }: Pick<Service, 'store'>,
  row: TransactionRow,
  { side, fate }: { side: Side } & Pick<HandlerOptions, 'fate'>,
): void {
  const wallet = store.wallets.get(row.walletId);
  if (wallet?.frozen) throw fault('walletFrozen', side);
  store.transactions.insert(fate === undefined ? row : { ...row, fate });
}
