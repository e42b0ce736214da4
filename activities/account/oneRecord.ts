import { Context } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import { pageSize } from '../../src/custody/list';
import { sameText } from '../../src/custody/objects/sameText';
import { type Transaction, unreadableState } from '../../src/custody/objects/transaction';
import { readOutbound } from '../../src/custody/outbound';
import { outcomeOf } from '../../src/custody/outcome';
import { messageOf } from '../../src/orders/input/systemFault';
import { tryFind } from '../attempt';
import { stop } from '../failure';

type Reads = Pick<CustodyApi, 'getTransaction' | 'listTransactions'>;

/**
 * Reads the record of a transaction alone. Undefined while the service does not know it. A failure
 * says if it concerns that record only: then the service refuses or garbles it, and still lists
 * others.
 */
export async function tryRecord(custody: Reads, id: string): Promise<Transaction | undefined> {
  const { attempt } = Context.current().info;
  const found = await tryFind(404, async (signal) => {
    try {
      return await custody.getTransaction({ id }, { signal });
    } catch (error) {
      if (!isLasting(error, attempt)) throw error;
      const listed = await firstPage(custody, signal);
      if (listed === undefined || !tellsOthers(listed, id)) throw error;
      throw stop('NeedsOperator', messageOf(error), { ambiguous: true, ofRecord: true });
    }
  });
  // The record of another transaction tells nothing of this one.
  return sameText(found?.transaction.id, id) ? found?.transaction : undefined;
}

/** The newest records, readable or not. Undefined if the service does not tell them. */
function firstPage(custody: Reads, signal: AbortSignal) {
  return readOutbound(custody, { signal })({ pageSize }, {}).catch(() => undefined);
}

/**
 * True for a fault that does not pass by itself, of a service that answers. A refused key is the
 * worker's, and a record that is absent is no fault.
 */
export function isLasting(error: unknown, attempt: number): boolean {
  if (error instanceof RefusedError && [401, 404].includes(error.status)) return false;
  return ['stop', 'operator'].includes(outcomeOf(error, { write: false, attempt }).next);
}

/** True unless the records beside one are unreadable as well, so that the fault is a larger one. */
export function tellsOthers(listed: readonly Transaction[], id: string): boolean {
  const others = listed.filter((one) => one.id !== id);
  return others.length === 0 || others.some(({ state }) => state !== unreadableState);
}
