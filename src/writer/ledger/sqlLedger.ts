import { batchesHash, type Reference } from '../../custody/reference';
import type { OpenDatabase, Row, Work } from '../../store/work';
import { beginPayees, keepsPayees, payeesOf } from '../payees/memory';
import { ledgerIdOf, newSealKey, sealed } from '../signing/seal';
import { leaveUnpaid } from './attempts';
import { claimOf, hear, isHeardFirst, openBefore, orderedAs } from './claims';
import { decisionsIn } from './decisions';
import {
  type HeldWrite,
  type KnownWrite,
  type Ledger,
  LedgerError,
  type OpenWrite,
} from './ledger';
import { enter, isNews, keepAccepted, see } from './outside';
import {
  endOne,
  findOne,
  giveBack,
  isNewest,
  policyFault,
  putInForce,
  reserve,
  unended,
} from './rules';
import { factOf, sql } from './statements';
import { amountOf } from './tables';
import { inTime, type LedgerMoment, movingTime } from './time';
import { full, outside, windowUsage } from './windows';

export type LedgerOptions = {
  /** Time for which the service remembers an idempotency key. The default is what writers gave. */
  keyLifetimeMs?: number;
  clock?: () => number;
  /** The fault of a place without a ledger. Without these words one is made there. */
  absent?: string;
};

/** The id of a ledger, the life of its keys, and the key that it seals with. */
type Facts = { id: string; keyLifetimeMs: number; sealKey: string };

/** Time for which the hosted service remembers a key. */
const usualMs = 24 * 3_600_000;

/** Reads the facts of a ledger, and writes down those that are new. */
export function* beginLedger(options: LedgerOptions): Work<Facts> {
  // The tables of an earlier version are refused here, and not in the middle of a payout.
  yield* sql.isMarked.get('', '');
  yield* beginPayees();
  yield* sql.keepFact.run('sealKey', newSealKey());
  const sealKey = String(yield* factOf('sealKey'));
  yield* sql.keepFact.run('id', ledgerIdOf(sealKey));
  const id = String(yield* factOf('id'));
  const known = yield* factOf('keyLifetimeMs');
  const keyLifetimeMs = options.keyLifetimeMs ?? Number(known ?? usualMs);
  if (String(keyLifetimeMs) !== known) {
    yield* sql.setFact.run('keyLifetimeMs', String(keyLifetimeMs));
  }
  return { id, keyLifetimeMs, sealKey };
}

/** The ledger in a database. Every change is one transaction. */
export function sqlLedger(
  database: OpenDatabase,
  { id, keyLifetimeMs, sealKey, clock = Date.now }: Facts & LedgerOptions,
): Ledger {
  const { read } = database;
  const moment = (nowMs = clock()): LedgerMoment => ({ nowMs, keyLifetimeMs });
  const change = <T>(work: (at: LedgerMoment) => Work<T>): Promise<T> =>
    database.change(inTime(work, moment()));
  const readAt = <T>(work: (at: LedgerMoment) => Work<T>): Promise<T> =>
    read(inTime(work, moment()));
  return {
    id,
    putInForce: async (policy) => {
      const carryOut = (await read(isNewest(policy))) ? database.change : read;
      return carryOut(putInForce(policy));
    },
    policyFault: (policy) => read(policyFault(policy)),
    reserve: (asked, confirmedMs) =>
      database.change(movingTime((at) => reserve(asked, at), moment(confirmedMs))),
    accepted: (key, transactionId) => change(() => keepAccepted(key, transactionId)),
    refused: ({ hash, generation }) => change(() => sql.refuse.run(hash, generation)),
    withoutEffect: (key) => change(() => giveBack(key)),
    end: async (ends) => {
      const news = await read(chosen(ends, unended));
      if (news.length === 0) return [];
      return change(({ nowMs }) => chosen(news, (end) => endOne(end, nowMs)));
    },
    found: (reference, finding) =>
      // The stored time alone counts: no reservation has confirmed that of this clock.
      database.change(inTime((at) => findOne({ ...reference, finding }, at), moment(0))),
    readUntil: async () => {
      const until = await read(factOf('readUntilMs'));
      return until === undefined ? undefined : Number(until);
    },
    hasRead: (look) => change(({ nowMs }) => readTo(look, nowMs)),
    news: (sightings) => read(chosen(sightings, isNews)),
    enter: (payments) =>
      change(function* ({ nowMs }) {
        for (const payment of payments) yield* enter(payment, nowMs);
      }),
    movingOutside: async (max) =>
      (await read(sql.movingOutside.all(max))).map(({ id }) => String(id)),
    ...decisionsIn(read, change),
    known: (reference) => read(knownOf(reference)),
    settledBatch: async (workflowId, mark) => {
      const row = await read(sql.settledBatch.get(batchesHash(workflowId), mark));
      return row && String(row.transactionId);
    },
    unpaid: (transactionId, marks) => change(() => leaveUnpaid(transactionId, marks)),
    seen: async (records) => {
      const unseen = await read(
        chosen(records, ({ hash, generation }) => sql.isUnseen.get(hash, generation)),
      );
      if (unseen.length > 0) await change(() => see(unseen));
    },
    ownOf: (transactionIds) => read(ownOf(transactionIds)),
    hear: async (words) => {
      const news = await read(chosen(words, isHeardFirst));
      if (news.length === 0) return;
      await change(function* ({ nowMs }) {
        for (const word of news) yield* hear(word, nowMs);
      });
    },
    claim: (id) => readAt(({ nowMs }) => claimOf(id, nowMs)),
    claimAsked: (id) => change(() => sql.claimAsked.run(id)),
    claims: (max, how) =>
      readAt(function* ({ nowMs }) {
        const rows =
          'graceMs' in how
            ? yield* sql.claims.all(nowMs - how.graceMs, max)
            : yield* sql.claimsSince.all(nowMs - how.withinMs, max);
        return rows.map(({ id }) => String(id));
      }),
    openBefore: (attempt) => read(openBefore(attempt)),
    isCounted: async (id) => (await read(sql.isCounted.get(id))) !== undefined,
    orderedAs: (id) => read(orderedAs(id)),
    openWrites: (max, { withFound = false } = {}) =>
      readAt(function* ({ nowMs }) {
        const sinceMs = nowMs - foundMs;
        const rows = yield* withFound ? sql.openOrFound.all(sinceMs, max) : sql.open.all(max);
        return rows.map(openWriteOf);
      }),
    heldWrites: (max) => readAt((at) => heldWrites(max, at)),
    payees: (payments, hash) => read(payeesOf(payments, hash)),
    keepsPayees: () => read(keepsPayees()),
    usage: (window) => readAt(({ nowMs }) => windowUsage(window, nowMs)),
    outside: (window) => readAt(({ nowMs }) => outside(window, nowMs)),
    full: (window) => readAt(({ nowMs }) => full(window, nowMs)),
    seal: (key, grounds) => sealed(sealKey, key, grounds),
    close: database.close,
  };
}

/** The items for which some work finds an answer. */
function* chosen<Item>(items: readonly Item[], work: (item: Item) => Work<unknown>): Work<Item[]> {
  const found: Item[] = [];
  for (const item of items) if (yield* work(item)) found.push(item);
  return found;
}

/** A later moment than that of any writer before. A moment in the future would hide the present. */
function* readTo(
  { untilMs = 0, newestMs }: { untilMs: number | undefined; newestMs: number },
  nowMs: number,
): Work<void> {
  const before = Number((yield* factOf('readUntilMs')) ?? 0);
  if (before < untilMs) {
    throw new LedgerError('An older copy has replaced this ledger during a look at the list.');
  }
  yield* sql.setFact.run('readUntilMs', String(Math.max(before, Math.min(newestMs, nowMs))));
}

function* ownOf(transactionIds: readonly string[]): Work<Map<string, Reference>> {
  const found = new Map<string, Reference>();
  for (const id of transactionIds) {
    const row = yield* sql.writeOf.get(id);
    if (row !== undefined) {
      found.set(id, { hash: String(row.hash), generation: Number(row.generation) });
    }
  }
  return found;
}

function* heldWrites(max: number, { nowMs, keyLifetimeMs }: LedgerMoment): Work<HeldWrite[]> {
  const held: HeldWrite[] = [];
  for (const row of yield* sql.held.all(nowMs - keyLifetimeMs, max)) {
    held.push(heldWriteOf(row, yield* sql.chargesOf.all(row.key)));
  }
  return held;
}

/** A record may show up this long after an operator has found that there is none. */
const foundMs = 30 * 24 * 3_600_000;

function* knownOf({ hash, generation }: Reference): Work<KnownWrite | undefined> {
  const row = yield* sql.byReference.get(hash, generation);
  if (row !== undefined) {
    const { firstMs, attempts, transactionId: id } = row;
    const own = { state: stateOf(row), firstMs: Number(firstMs), attempts: Number(attempts) };
    return { ...own, ...(id === null ? {} : { transactionId: String(id) }) };
  }
  const burnt = yield* sql.isBurnt.get(hash, generation);
  return burnt && { state: 'burnt' };
}

function stateOf({ state }: Row): KnownWrite['state'] {
  const states = ['settled', 'released', 'unsent', 'found'] as const;
  return states.find((one) => one === state) ?? 'open';
}

function openWriteOf(row: Row): OpenWrite {
  return {
    hash: String(row.hash),
    generation: Number(row.generation),
    transactionId: row.transactionId === null ? undefined : String(row.transactionId),
    firstMs: Number(row.firstMs),
    orderId: String(row.orderId),
  };
}

function heldWriteOf(
  { orderId, parts, generation, firstMs }: Row,
  charges: readonly Row[],
): HeldWrite {
  const { step, item } = JSON.parse(String(parts));
  return {
    orderId: String(orderId),
    target: `${step}/${item}#${generation}`,
    firstMs: Number(firstMs),
    // Each scope of a write has the same sums.
    amounts: new Map(
      charges.map(({ money, a, b, c, d }) => [String(money), amountOf([a, b, c, d])]),
    ),
  };
}
