import { Context, heartbeat, sleep } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { RefusedError } from '../../src/custody/errors';
import { passing, walkOf } from '../../src/custody/list';
import { finalState } from '../../src/custody/objects/state';
import { type Transaction, unreadableState } from '../../src/custody/objects/transaction';
import { readOutbound } from '../../src/custody/outbound';
import { messageOf } from '../../src/orders/input/systemFault';
import { readInFront } from '../../src/orders/progress/inFront';
import type { AccountIndex } from '../../src/store/index/accountIndex';
import { briefly, type IndexedRecord } from '../../src/store/index/records';
import { isLasting, tellsOthers } from '../account/oneRecord';
import { tryRead } from '../attempt';
import { asker } from '../lookUp';
import { inSlices } from '../reading';

/** The transactions to watch. */
export type LineWatch = {
  walletIds: string[];
  /** Their ids. They are whole, since ids of other records may end alike. */
  ids: string[];
  /** Ids among them of which any record is news: a final word was heard before, or none showed. */
  heard?: string[];
  /** The wait before the first poll. Each later one waits a bit longer. */
  everyMs: number;
  /** After this time it answers that none is final. */
  patienceMs: number;
  /** The wait for the others after the first is final. Default: none. */
  gatherMs?: number;
  /** Wallets whose transactions should be final by now. It is read what is in front of them. */
  overdue?: string[];
};

/** The watched transactions that are final, and those of which nothing can be read. */
export type WatchedLines = {
  final: IndexedRecord[];
  /** Records of `heard` that are not final now. */
  withdrawn?: IndexedRecord[];
  /** Ids of those that the list did not show, though it was read back far enough. */
  missing: string[];
  /** Transactions whose record is there, and cannot be read. */
  unread: Unread[];
  /** A transaction that they wait for, and what frees it. */
  inFront?: string;
};
/** `ofRecord`: the fault concerns that record only. */
type Unread = { id: string; why: string; ofRecord?: true };

const slowing = 1.2;
const slowestMs = 1_000;
/** Records that are read alone at the same time. */
const atOnce = 10;

/** Watches many lines at once, in the service's list. */
export function watchActivities(custody: CustodyApi, index: AccountIndex) {
  return {
    /**
     * Polls until some of the watched transactions are final, and returns those. The wait is here,
     * since a wait of the workflow would be five events.
     */
    async watchLines(watch: LineWatch): Promise<WatchedLines> {
      const { ids, heard = [], everyMs, patienceMs, gatherMs = 0 } = watch;
      const untilMs = Date.now() + patienceMs;
      const missing = new Set(ids);
      /** Ids that the list shows, and whose records cannot be read there. */
      const odd = new Set<string>();
      let sinceMs: number | undefined;
      let gathersUntilMs: number | undefined;
      for (let delayMs = everyMs; ; delayMs = Math.min(delayMs * slowing, slowestMs)) {
        await sleep(delayMs);
        sinceMs ??= await tryRead(() => oldest(index, ids));
        const wanted = new Set(ids);
        const shown = await tryRead((signal) =>
          poll(custody, { ...watch, sinceMs, wanted, signal }),
        );
        const records = shown.filter(({ state }) => state !== unreadableState);
        await index.keep(records);
        for (const { id } of shown) {
          missing.delete(id);
          odd.add(id);
        }
        for (const { id } of records) odd.delete(id);
        const final = records.filter(isFinal);
        const withdrawn = records.filter((one) => heard.includes(one.id) && !isFinal(one));
        const news = final.length + withdrawn.length;
        const isFirst = news > 0 && gathersUntilMs === undefined;
        if (isFirst) gathersUntilMs = Math.min(Date.now() + gatherMs, untilMs);
        const isGathered = news === ids.length || Date.now() >= (gathersUntilMs ?? 0);
        const isLate = Date.now() + delayMs > untilMs;
        if (news > 0 ? isGathered : isLate) {
          // A poll that the rate limit has ended may have seen final records, and none is missing.
          const lacking = news > 0 ? [] : [...missing];
          const told = { final, withdrawn, heard, shown };
          const watched = await withAlone(custody, { ...told, odd: [...odd], missing: lacking });
          const inFront = news > 0 ? undefined : await inFrontOf(custody, watch);
          return {
            ...watched,
            ...(inFront !== undefined && { inFront }),
          };
        }
        // A record that did not show will show near the newest one.
        sinceMs = Math.min(...records.map(({ createDate }) => Date.parse(createDate)));
      }
    },
  };
}

/** Number of wallets of which one answer reads what is in front. The next one begins with others. */
const walletsMax = 5;

/** The first transaction that overdue ones wait for. Nothing depends on it, so no fault is told. */
async function inFrontOf(
  custody: CustodyApi,
  { overdue = [], ids }: LineWatch,
): Promise<string | undefined> {
  for (const walletId of turned(overdue).slice(0, walletsMax)) {
    const words = await tryRead((signal) =>
      readInFront(custody, { walletId, ids }, { signal }),
    ).catch(() => undefined);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Number of records that one answer reads alone at most. The next one may begin with others. */
const aloneMax = 20;

type Shown = Record<'final' | 'withdrawn' | 'shown', Transaction[]> &
  Record<'odd' | 'missing' | 'heard', string[]>;

/** Reads alone what the list has not told. A record that fails says nothing of the others. */
async function withAlone(
  custody: CustodyApi,
  { odd, missing, heard, shown, ...listed }: Shown,
): Promise<WatchedLines> {
  const { cancellationSignal: signal } = Context.current();
  const asked = turned([...odd, ...missing]).slice(0, aloneMax);
  const final = [...listed.final];
  const withdrawn = [...listed.withdrawn];
  const unread: Unread[] = [];
  const isThere = new Set<string>();
  await inSlices(asked, atOnce, async (id) => {
    try {
      const { transaction } = await custody.getTransaction({ id }, { signal });
      if (transaction.id !== id) return;
      isThere.add(id);
      if (isFinal(transaction)) final.push(transaction);
      else if (heard.includes(id)) withdrawn.push(transaction);
    } catch (error) {
      const isNowhere = error instanceof RefusedError && error.status === 404;
      if (isNowhere && !odd.includes(id)) return;
      isThere.add(id);
      const why = messageOf(error);
      // The list was read just before, so that the service is there and takes the key.
      const ofRecord = (isNowhere || isLasting(error, 2)) && tellsOthers(shown, id);
      unread.push({ id, why, ...(ofRecord && { ofRecord }) });
    }
  });
  return {
    final: final.map(briefly),
    ...(withdrawn.length > 0 && { withdrawn: withdrawn.map(briefly) }),
    missing: missing.filter((id) => !isThere.has(id)),
    unread,
  };
}

/** The same items, beginning with any of them. */
function turned<T>(items: readonly T[]): T[] {
  const first = Math.floor(Math.random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** No watched record is older, by the service's own times. No clock of a worker counts. */
async function oldest(index: AccountIndex, ids: readonly string[]): Promise<number> {
  const unknownSinceMs = await index.unknownSinceMs(asker());
  const known = await Promise.all(ids.map((id) => index.known(id)));
  return Math.min(
    ...known.map((record) => (record ? Date.parse(record.createDate) : unknownSinceMs)),
  );
}

type Poll = {
  walletIds: string[];
  sinceMs: number | undefined;
  /** The ids of the records to find. */
  wanted: Set<string>;
  signal: AbortSignal;
};

/** Reads the list from its newest record, until all wanted records were there or older ones are. */
async function poll(custody: CustodyApi, { sinceMs = 0, wanted, ...how }: Poll) {
  const { walletIds, signal } = how;
  const found: Transaction[] = [];
  const isPast = passing(sinceMs);
  const walk = walkOf(readOutbound(custody, { walletIds: walletIds.join(','), signal }));
  for (;;) {
    const page = await walk.next().catch((error: unknown) => {
      // A poll that the rate limit ends tells what it has seen.
      if (found.some(isFinal)) return [];
      throw error;
    });
    heartbeat();
    found.push(...page.filter(({ id }) => wanted.delete(id)));
    if (page.length === 0 || wanted.size === 0 || isPast(page)) return found;
  }
}

function isFinal({ state }: Pick<Transaction, 'state'>): boolean {
  return finalState(state) !== undefined;
}
