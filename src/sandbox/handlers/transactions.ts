import { fault } from '../errors';
import { toTransaction, transactionType } from '../records';
import type { Handlers, Service } from '../service';

/** Transactions, as they stand now. */
export function transactionHandlers(service: Service): Handlers<'getTransaction'> {
  const { store, shown } = service;
  return {
    getTransaction: async ({ id, txType }) => {
      const row = store.transactions.get(id);
      if (row === undefined || (txType ?? transactionType(row)) !== transactionType(row)) {
        throw fault('noTransaction');
      }
      return { transaction: toTransaction(row, shown) };
    },
  };
}
