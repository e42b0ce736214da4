import { heartbeat, sleep } from '@temporalio/activity';
import type { CustodyApi } from '../../src/custody/endpoints';
import { passing, walkOf } from '../../src/custody/list';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import { endingDigits, endingOf } from '../../src/custody/readable';
import type { AccountIndex } from '../../src/store/index/accountIndex';
import { briefly, type IndexedRecord } from '../../src/store/index/records';
import { tryRead } from '../attempt';
import { asker } from '../lookUp';

/** The transactions to watch. */
export type Watch = {
  walletIds: string[];
  /** The last digits of their ids, one after another. A whole id is long, and there are hundreds. */
  ends: string;
  /** The wait before the first poll. Each later one waits a bit longer. */
  everyMs: number;
  /** After this time it answers that none is final. */
  patienceMs: number;
  /** The wait for the others after the first is final. Default: none. */
  gatherMs?: number;
};

/** The watched transactions that are final, and those that the list does not show. */
export type Watched = {
  final: IndexedRecord[];
  /** The last digits of those that the list did not show, though it was read back far enough. */
  missing: string[];
};

const slowing = 1.2;
const slowestMs = 1_000;

/** Watches many lines at once, in the service's list. */
export function watchActivities(custody: CustodyApi, index: AccountIndex) {
  return {
    /**
     * Polls until some of the watched transactions are final, and returns those. The wait is here,
     * since a wait of the workflow would be five events.
     */
    async watchLines(watch: Watch): Promise<Watched> {
      const { ends, everyMs, patienceMs, gatherMs = 0 } = watch;
      const endings = ends.match(new RegExp(`.{${endingDigits}}`, 'g')) ?? [];
      const untilMs = Date.now() + patienceMs;
      const missing = new Set(endings);
      let sinceMs: number | undefined;
      let gathersUntilMs: number | undefined;
      for (let delayMs = everyMs; ; delayMs = Math.min(delayMs * slowing, slowestMs)) {
        await sleep(delayMs);
        sinceMs ??= await tryRead(() => oldest(index, endings));
        const wanted = new Set(endings);
        const records = await tryRead((signal) =>
          poll(custody, { ...watch, sinceMs, wanted, signal }),
        );
        await index.keep(records);
        for (const { id } of records) missing.delete(endingOf(id));
        const final = records.filter(isFinal);
        const isFirst = final.length > 0 && gathersUntilMs === undefined;
        if (isFirst) gathersUntilMs = Math.min(Date.now() + gatherMs, untilMs);
        const isGathered = final.length === endings.length || Date.now() >= (gathersUntilMs ?? 0);
        // A poll that the rate limit has ended may have seen final records.
        if (final.length > 0 && isGathered) return { final: final.map(briefly), missing: [] };
        const isLate = Date.now() + delayMs > untilMs;
        if (isLate && final.length === 0) return { final: [], missing: [...missing] };
        // A record that did not show will show near the newest one.
        sinceMs = Math.min(...records.map(({ createDate }) => Date.parse(createDate)));
      }
    },
  };
}

/** No watched record is older, by the service's own times. No clock of a worker counts. */
async function oldest(index: AccountIndex, endings: readonly string[]): Promise<number> {
  const unknownSinceMs = await index.unknownSinceMs(asker());
  const known = await Promise.all(endings.map((ending) => index.known(ending)));
  return Math.min(
    ...known.map((record) => (record ? Date.parse(record.createDate) : unknownSinceMs)),
  );
}

type Poll = {
  walletIds: string[];
  sinceMs: number | undefined;
  /** The endings of the records to find. */
  wanted: Set<string>;
  signal: AbortSignal;
};

/** Reads the list from its newest record, until all wanted records were there or older ones are. */
async function poll(custody: CustodyApi, { sinceMs = 0, wanted, ...how }: Poll) {
  const { walletIds, signal } = how;
  const narrowed = {
    walletIds: walletIds.join(','),
    includeAll: true,
    txType: 'OUTBOUND',
  };
  const found: Transaction[] = [];
  const isPast = passing(sinceMs);
  const walk = walkOf(async (page, paging) => {
    const asked = { ...narrowed, ...page };
    return (await custody.listTransactions(asked, { signal, ...paging })).transactions;
  });
  for (;;) {
    const page = await walk.next().catch((error: unknown) => {
      // A poll that the rate limit ends tells what it has seen.
      if (found.some(isFinal)) return [];
      throw error;
    });
    heartbeat();
    found.push(...page.filter(({ id }) => wanted.delete(endingOf(id))));
    if (page.length === 0 || wanted.size === 0 || isPast(page)) return found;
  }
}

function isFinal({ state }: Pick<Transaction, 'state'>): boolean {
  return finalState(state) !== undefined;
}
