import Database from 'libsql';
import type { CustodyApi } from '../../custody/endpoints';
import {
  anchorOf,
  listStartMs,
  PlaceLostError,
  passing,
  type Walk,
  walkOf,
} from '../../custody/list';
import { claimsNoEffect } from '../../custody/objects/finalWord';
import { finalState } from '../../custody/objects/state';
import type { Transaction } from '../../custody/objects/transaction';
import { readOutbound } from '../../custody/outbound';
import { readReference } from '../../custody/reference';
import { sharing } from '../../custody/sharing';
import { createPass, wholeList } from './pass';
import { type AccountRecords, type Extent, recordsOf } from './records';

export type ReaderOptions = {
  custody: CustodyApi;
  /** A record shows in the list at most this long after its time. */
  graceMs: number;
  /** The database that keeps the index, and the address of the service. Default: in memory. */
  store?: { database: Database.Database; baseUrl: string } | undefined;
  /** The time between two questions for the page that may be the last. */
  apartMs?: number;
};

/** A walk through the list, from its newest record back to records that are known. */
type Reading = Extent & {
  walk: Walk<Transaction>;
  began: number;
  asOfMs: number;
  /** One of the newest records of the reading before was met. */
  isMet: boolean;
  /** True once the reading has come to what is older than all that is to be read. */
  isPast: (page: readonly Transaction[]) => boolean;
  /** The page that was read last, until it is kept. */
  page?: { at: number; found: readonly Transaction[] } | undefined;
  /** It takes the place of one that could not go on. */
  isAgain?: boolean;
};

const dayMs = 86_400_000;

/**
 * Reads the account's list, one page at a time. The first reading is a pass through the whole list.
 * Each later reading ends one grace period before the place where the last reading but one began.
 * So each page is read twice. Further passes fill what all readings have lacked. After a failure, a
 * reading continues.
 */
export function createReader({ custody, graceMs, store, apartMs }: ReaderOptions) {
  /** When each record that has not completed was last read. */
  const readAt = new Map<string, number>();
  let moment = 0;
  let opening: Promise<AccountRecords> | undefined;
  /** The reading that was completed last. */
  let whole: Extent | undefined;
  let covered: { began: number; asOfMs: number } | undefined;
  let reading: Reading | undefined;
  /** The next of the moments that order questions and readings, whatever the clock does. */
  const tick = (): number => ++moment;

  const open = async (): Promise<AccountRecords> => {
    const account = store && `${store.baseUrl} ${(await custody.getEntityConfig({})).appId}`;
    const records = recordsOf(account ?? '', store?.database ?? new Database(':memory:'));
    const extent = records.extent();
    if (extent?.afterId === undefined) whole = extent;
    else reading = { ...begin(extent.afterId), ...extent, began: 0, asOfMs: 0 };
    return records;
  };
  const records = (): Promise<AccountRecords> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  /** The place to which a reading goes back. */
  const backTo = (): Pick<Extent, 'newestMs' | 'newestId'> | undefined => whole?.before ?? whole;

  const begin = (after?: string): Reading => {
    const place = backTo();
    return {
      walk: walkOf(list, { after, apartMs }),
      began: tick(),
      asOfMs: Date.now(),
      newestMs: 0,
      isMet: !place?.newestId,
      isPast: place === undefined ? () => false : passing(untilMs(place)),
    };
  };

  const list = readOutbound(custody);

  /** Keeps what was read at a moment. The list alone does not say that a record had no effect. */
  const keep = async (
    found: readonly Transaction[],
    { at, extent, isAlone = false }: { at: number; extent?: Extent | undefined; isAlone?: boolean },
  ) => {
    (await records()).keep(found, extent);
    for (const { id, state, refId, transactionType } of found) {
      const isOurs = readReference(refId) !== undefined && transactionType !== 'INBOUND';
      const isOpen = finalState(state) === undefined;
      if (isOurs && (isOpen || (isAlone && claimsNoEffect({ state })))) readAt.set(id, at);
      else readAt.delete(id);
    }
  };

  /** Keeps a page of the reading. Completes the reading with its last page. */
  const take = async (now: Reading, { found, at }: NonNullable<Reading['page']>): Promise<void> => {
    const metId = backTo()?.newestId;
    now.isMet ||= found.some(({ id }) => id === metId);
    const isOlder = now.isPast(found);
    const { newestMs, newestId, began, asOfMs } = now;
    if (found.length === 0 || (isOlder && now.isMet)) {
      const before = whole && { newestMs: whole.newestMs, newestId: whole.newestId };
      const { passes = 1, passedMs = asOfMs } = whole ?? {};
      const extent = { newestMs, newestId, before, passes, passedMs };
      await keep(found, { at, extent });
      whole = extent;
      covered = { began, asOfMs };
      reading = undefined;
    } else {
      const afterId = now.walk.after();
      const extent = whole === undefined ? { newestMs, newestId, afterId } : undefined;
      await keep(found, { at, extent });
    }
  };

  const readNext = async (): Promise<void> => {
    await records();
    reading ??= begin();
    const now = reading;
    try {
      const isFirst = now.walk.after() === undefined;
      now.page ??= { at: tick(), found: await now.walk.next() };
      const { found } = now.page;
      if (isFirst) Object.assign(now, { newestId: anchorOf(found), newestMs: listStartMs(found) });
      await take(now, now.page);
      now.page = undefined;
    } catch (error) {
      if (!(error instanceof PlaceLostError)) throw error;
      reading = undefined;
      // A list that loses its place each time is a fault that somebody has to hear of.
      if (now.isAgain) throw error;
      reading = { ...begin(), isAgain: true };
    }
  };

  /** Keeps a page of a pass. Its end is kept with it, if it has read the whole list. */
  const takePassed = async (
    found: readonly Transaction[],
    { at, beganMs }: { at: number; beganMs: number },
  ): Promise<void> => {
    if (found.length > 0 || whole === undefined) return keep(found, { at });
    whole = { ...whole, passes: (whole.passes ?? 0) + 1, passedMs: beganMs };
    return keep(found, { at, extent: whole });
  };
  const newPass = () =>
    createPass({ walk: () => walkOf(list, { apartMs }), tick, keep: takePassed });
  /** The pass that is due by its time is slow. So a question has a pass of its own. */
  const [duePass, askedPass] = [newPass(), newPass()];

  const readDue = async (): Promise<boolean> => {
    await records();
    if (whole === undefined || dueMs(whole, graceMs) > Date.now()) return false;
    await duePass.readPage(wholeList);
    return true;
  };

  const untilMs = ({ newestMs }: Pick<Extent, 'newestMs'>): number => newestMs - graceMs;

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
    /** Reads a page of the pass that is due. Returns false where none is. */
    readDue: sharing(readDue),
    /** A pass that a question asks for. */
    askedPass,
  };
}

/**
 * When the whole list is to be read again. The second pass heals what one page has lacked. The
 * third, a grace period later, heals what a copy of the list has lacked that was behind.
 */
function dueMs({ passes = 1, passedMs = 0 }: Extent, graceMs: number): number {
  return passedMs + ([0, 0, graceMs][passes] ?? dayMs);
}
