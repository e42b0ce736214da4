import Database from 'libsql';
import type { CustodyApi } from '../custody/endpoints';
import { RefusedError, UnexpectedAnswerError } from '../custody/errors';
import { finalState } from '../custody/objects/state';
import type { Transaction } from '../custody/objects/transaction';
import { readReference } from '../custody/reference';
import { sharing } from '../custody/sharing';
import { type Extent, type Records, recordsOf } from './records';

export type ReaderOptions = {
  custody: CustodyApi;
  /** A record shows in the list at most this long after its time. */
  graceMs: number;
  /** The database that keeps the index, and the address of the service. Default: in memory. */
  store?: { database: Database.Database; baseUrl: string } | undefined;
};

/** A walk through the list, from its newest record back to records that are known. */
type Reading = Extent & {
  began: number;
  asOfMs: number;
  /** Begun by an earlier process. */
  isInherited?: boolean;
  /** The newest record of the reading before was met. */
  isMet: boolean;
};

/** The service's largest page (hosted-service facts, page). */
const pageSize = 50;

/**
 * Reads the account's list, one page at a time. The first reading is a pass through the whole list.
 * Each later one ends one grace period before the newest record that the reading before it began
 * with. A reading continues after a failure.
 */
export function createReader({ custody, graceMs, store }: ReaderOptions) {
  /** When each record that is not final was last read. */
  const readAt = new Map<string, number>();
  let moment = 0;
  let opening: Promise<Records> | undefined;
  /** The reading that was completed last. */
  let whole: Extent | undefined;
  let covered: { began: number; asOfMs: number } | undefined;
  let reading: Reading | undefined;

  /** The next of the moments that order questions and readings, whatever the clock does. */
  const tick = (): number => ++moment;

  const open = async (): Promise<Records> => {
    const account = store && `${store.baseUrl} ${(await custody.getEntityConfig({})).appId}`;
    const records = recordsOf(account ?? '', store?.database ?? new Database(':memory:'));
    const extent = records.extent();
    if (extent?.afterId === undefined) whole = extent;
    else reading = { ...extent, began: 0, asOfMs: 0, isInherited: true, isMet: true };
    return records;
  };
  const records = (): Promise<Records> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  const keep = async (found: readonly Transaction[], at: number, extent?: Extent) => {
    const ours = found.filter(
      ({ refId, transactionType }) =>
        readReference(refId) !== undefined && transactionType !== 'INBOUND',
    );
    (await records()).keep(ours, extent);
    for (const { id, state } of ours) {
      if (finalState(state) === undefined) readAt.set(id, at);
      else readAt.delete(id);
    }
  };

  /** Inbound records are left out, so that nobody can make the list longer. */
  const list = async (after: string | undefined): Promise<readonly Transaction[]> => {
    const cursor = after === undefined ? {} : { pageAfter: after };
    const narrowed = { pageSize, ...cursor, includeAll: true, txType: 'OUTBOUND' };
    const { transactions } = await custody.listTransactions(narrowed);
    if (after === undefined || transactions.at(-1)?.id !== after) return transactions;
    const message = `A list does not end: the page after ${after} ends with it again.`;
    throw new UnexpectedAnswerError(message, { status: 200 });
  };

  /** Keeps a page of the reading. Completes the reading with its last page. */
  const take = async (now: Reading, found: readonly Transaction[], at: number): Promise<void> => {
    if (now.afterId === undefined) {
      now.newestId = found[0]?.id;
      now.newestMs = Math.max(whole?.newestMs ?? 0, ...found.map(timeOf).filter(Number.isFinite));
    }
    now.isMet ||= found.some(({ id }) => id === whole?.newestId);
    const last = found.at(-1);
    const isOlder = last !== undefined && whole !== undefined && timeOf(last) < untilMs(whole);
    const { newestMs, newestId, began, asOfMs } = now;
    if (last === undefined || (isOlder && now.isMet)) {
      await keep(found, at, { newestMs, newestId });
      whole = { newestMs, newestId };
      covered = { began, asOfMs };
      reading = undefined;
    } else {
      const afterId = last.id;
      await keep(found, at, whole === undefined ? { newestMs, newestId, afterId } : undefined);
      now.afterId = afterId;
    }
  };

  const readNext = async (): Promise<void> => {
    await records();
    reading ??= { began: tick(), asOfMs: Date.now(), newestMs: 0, isMet: !whole?.newestId };
    const now = reading;
    const at = tick();
    try {
      await take(now, await list(now.afterId), at);
    } catch (error) {
      // The list has no such place any more. It is another list, or an older copy of it.
      const isLost = now.isInherited && error instanceof RefusedError && error.status < 429;
      if (!isLost) throw error;
      reading = undefined;
    }
  };

  const untilMs = ({ newestMs }: Extent): number => newestMs - graceMs;

  return {
    tick,
    records,
    keep,
    /** The last reading of this process that is complete. */
    covered: () => covered,
    /** No unknown record is older. Undefined before the end of the first pass. */
    unknownSinceMs: async (): Promise<number | undefined> => {
      await records();
      return whole && untilMs(whole);
    },
    readSince: (id: string, moment: number): boolean => (readAt.get(id) ?? 0) > moment,
    /** Reads the next page. Callers at the same time share it. */
    readPage: sharing(readNext),
  };
}

function timeOf({ createDate }: Transaction): number {
  return Date.parse(createDate);
}
