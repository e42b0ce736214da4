import { randomUUID } from 'node:crypto';
import type Database from 'libsql';
import type { HeldWrite, KnownWrite, Ledger, OpenWrite } from './ledger';
import { endOne, findOne, giveBack, isNews, reserve } from './rules';
import { type Row, statementsOf } from './statements';
import { amountOf, tables } from './tables';
import { windowsOf } from './windows';

export type SqlOptions = {
  keyLifetimeMs?: number | undefined;
  clock?: (() => number) | undefined;
  /** Turns the faults of the database into sentences. */
  run<T>(work: () => T): T;
};

/** A ledger in an SQL file. Every change is one transaction. */
export function sqlLedger(database: Database.Database, options: SqlOptions): Ledger {
  database.exec(tables);
  const sql = statementsOf(database);
  const id = sql.keepFact('id', randomUUID());
  const { clock = Date.now, run } = options;
  /** The ledger's own time. It never runs back, whatever the clock does. */
  const now = (): number => {
    const before = Number(sql.fact('timeMs') ?? 0);
    const nowMs = Math.max(before, clock());
    if (nowMs > before) sql.setFact('timeMs', String(nowMs));
    return nowMs;
  };
  const windows = windowsOf(database);
  const change = <T>(work: (nowMs: number) => T): Promise<T> =>
    later(() => run(() => database.transaction(() => work(now())).immediate()));
  const read = <T>(work: () => T): Promise<T> => later(() => run(work));
  const keyLifetimeMs = options.keyLifetimeMs ?? Number(sql.fact('keyLifetimeMs') ?? usualMs);
  if (String(keyLifetimeMs) !== sql.fact('keyLifetimeMs')) {
    run(() => sql.setFact('keyLifetimeMs', String(keyLifetimeMs)));
  }
  const rules = { sql, windows, keyLifetimeMs };
  return {
    id,
    reserve: (asked) => change((nowMs) => reserve(rules, asked, nowMs)),
    accepted: (key, transactionId) => change(() => void sql.accept.run(transactionId, key)),
    refused: ({ hash, generation }) => change(() => void sql.refuse.run(hash, generation)),
    withoutEffect: (key) =>
      change(() => {
        giveBack(sql, key);
      }),
    end: async (ends) => {
      const news = await read(() => ends.filter((end) => isNews(sql, end)));
      if (news.length === 0) return [];
      return change((nowMs) => news.filter((end) => endOne(sql, end, nowMs)));
    },
    found: (reference, finding) =>
      change((nowMs) => findOne(rules, { ...reference, finding }, nowMs)),
    isBuilt: () => read(() => sql.fact('built') !== undefined),
    built: () => change((nowMs) => void sql.setFact('built', String(nowMs))),
    burn: (references) =>
      change(() => {
        for (const { hash, generation } of references) sql.burn.run(hash, generation);
      }),
    known: ({ hash, generation }) =>
      read(() => {
        const row = sql.byReference.get(hash, generation);
        if (row !== undefined) return knownOf(row);
        return sql.isBurnt.get(hash, generation) === undefined ? undefined : { state: 'burnt' };
      }),
    seen: async (records) => {
      const unseen = await read(() =>
        records.filter((one) => sql.isUnseen.get(one.hash, one.generation) !== undefined),
      );
      if (unseen.length === 0) return;
      await change(() => {
        for (const one of unseen) sql.see.run(one.transactionId, one.hash, one.generation);
      });
    },
    openWrites: (max, { withFound = false } = {}) =>
      change((nowMs) => {
        const rows = withFound ? sql.openOrFound.all(nowMs - foundMs, max) : sql.open.all(max);
        return rows.map(openWriteOf);
      }),
    heldWrites: (max) =>
      change((nowMs) => {
        const rows = sql.held.all(nowMs - keyLifetimeMs, max);
        return rows.map((row) => heldWriteOf(row, sql.chargesOf.all(row.key)));
      }),
    usage: (window) => change((nowMs) => windows.usage(window, nowMs)),
    full: (window) => change((nowMs) => windows.full(window, nowMs)),
    close: () => database.close(),
  };
}

/** Time for which the hosted service remembers a key. */
const usualMs = 24 * 3_600_000;
/** A record may show up so long after an operator has found that there is none. */
const foundMs = 30 * 24 * 3_600_000;

function knownOf(row: Row): KnownWrite {
  return { state: stateOf(row), firstMs: Number(row.firstMs), attempts: Number(row.attempts) };
}

/** Work in a promise, so that another kind of ledger may take its time. */
async function later<T>(work: () => T): Promise<T> {
  return work();
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

function heldWriteOf({ orderId, parts, generation, firstMs }: Row, charges: Row[]): HeldWrite {
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
