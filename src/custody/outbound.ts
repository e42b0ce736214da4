import type { CallOptions, CustodyApi, Input } from './endpoints';
import type { ReadPage } from './list';
import { salvageTransaction, type Transaction } from './objects/transaction';

/** The list of all transactions of an account. */
export type TransactionList = Pick<CustodyApi, 'listTransactions'>;

type Narrowing = Pick<Input<'listTransactions'>, 'walletIds' | 'txHash'> &
  Pick<CallOptions, 'signal'>;

/**
 * Reads a page of what an account has sent, newest first, of every token. Inbound records are left
 * out, so that nobody can make the list longer. A record that cannot be read comes along with the
 * state *unreadable*, so that it hides no other one.
 */
export function readOutbound(
  list: TransactionList,
  { signal, ...narrowed }: Narrowing = {},
): ReadPage<Transaction> {
  return async (page, how) => {
    const asked = { ...narrowed, ...page, includeAll: true, txType: 'OUTBOUND' };
    const options = { ...how, ...(signal ? { signal } : {}), salvage: salvageTransaction };
    return (await list.listTransactions(asked, options)).transactions;
  };
}
