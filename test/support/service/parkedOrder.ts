import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import type { Finding } from '../../../src/orders/progress/resolve';
import type { createServe, Orders } from '../orders';
import {
  transferOrder as order,
  type ScriptedCustody,
  scriptedCustody,
  transferRecord,
} from './scriptedCustody';

export const newId = (): string => `transfer:${randomUUID()}`;
export const noFunds = () => new RefusedError('no funds', { status: 400, code: 155258 });
export const accepted = { id: transferRecord().id, state: 'INITIATED' };

/** The record of the transfer of an order, with the reference that only it can have. */
export function recordOf(
  workflowId: string,
  fields: Partial<Transaction> & { generation?: number } = {},
) {
  const { generation = 0, ...rest } = fields;
  const parts = { workflowId, step: 'transfer', item: '1', generation };
  return transferRecord({ refId: refId(parts), ...rest });
}

/** A service whose list shows what the test puts into it, page by page. */
export function listing(
  records: Transaction[],
  script: Parameters<typeof scriptedCustody>[0] = {},
) {
  return scriptedCustody({
    listTransactions: ({ pageAfter, txHash }) => {
      const listed = records.filter((one) => txHash === undefined || one.txHash === txHash);
      const start = listed.findIndex(({ id }) => id === pageAfter) + 1;
      return { transactions: listed.slice(start, start + 2) };
    },
    getTransaction: ({ id }) => ({
      transaction: records.find((one) => one.id === id) ?? transferRecord(),
    }),
    ...script,
  });
}

export const sent = (custody: ScriptedCustody) =>
  custody.calls('createTransfer').map(({ input }) => input.idempotencyKey);

export const resolve = (orders: Orders, id: string, finding: Partial<Finding>): Promise<string> =>
  orders.client.workflow.getHandle(id).executeUpdate('resolve', {
    args: [{ target: 'transfer/1#0', finding: 'completed', evidence: 'seen', ...finding }],
  });

/** Runs orders that wait as unknown: the first try of each was lost, the second one refused. */
export function parking(serve: ReturnType<typeof createServe>) {
  return async (records: Transaction[], script = {}, options = {}) => {
    const custody = listing(records, {
      createTransfer: (_, call) => (call === 1 ? new NoAnswerError('lost') : noFunds()),
      ...script,
    });
    const orders = await serve(custody, options);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'Unknown');
    const end = () => orders.client.workflow.getHandle(id).terminate();
    return { custody, orders, id, started, progress, end };
  };
}
