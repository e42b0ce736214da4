import { isDeepStrictEqual } from 'node:util';
import Database from 'libsql';
import { answering } from '../../../src/store/openFile';
import type { Work } from '../../../src/store/work';
import * as claims from '../../../src/writer/ledger/claims';
import type { Reservation } from '../../../src/writer/ledger/ledger';
import { ledgerContents } from '../../../src/writer/ledger/openLedger';
import * as outside from '../../../src/writer/ledger/outside';
import * as product from '../../../src/writer/ledger/rules';
import { sql } from '../../../src/writer/ledger/statements';

/** The product's rules of a ledger. */
export const ledgerRules = { ...product, ...outside, ...claims, sql };
export type LedgerRules = typeof ledgerRules;

/** A row of a table, as its values. */
type Row = readonly unknown[];

/** All that a ledger remembers. */
export type Memory = Readonly<Record<(typeof names)[number], readonly Row[]>>;

/** One attempt's key, at the service and on the way there. */
export type Key = {
  /** The service's transaction, and for how many ticks it has been final. */
  truth: 'none' | 'pending' | 'paid' | 'void';
  agoTicks: number;
  /** The service calls it FAILED, and it has paid or may pay. */
  isCalledFailed: boolean;
  /** The service remembers the key. */
  isRemembered: boolean;
  /** Ticks since the first attempt, and requests on their way. */
  sentTicks: number;
  wire: number;
  /** The writer waits for an answer. */
  calls: boolean;
};

/** A key that nothing was sent under. */
export const unused: Key = {
  truth: 'none',
  agoTicks: 0,
  isCalledFailed: false,
  isRemembered: false,
  sentTicks: 0,
  wire: 0,
  calls: false,
};

/** A payment of somebody else at the service, and whether a look has shown it to the ledger. */
export type Other = Pick<Key, 'truth' | 'agoTicks'> & { isSeen: boolean };

export type LedgerWorld = {
  memory: Memory;
  keys: Readonly<Record<string, Key>>;
  others: readonly Other[];
  /** The ledger may still be lost so often. */
  losses: number;
  /** The service may still lie about so many transactions. */
  lies: number;
};

/** The present never moves: the past grows older instead. */
export const nowMs = 4_000_000_000_000;
export const hourMs = 3_600_000;
/** One tick is half a window, and half the life of a key. */
export const tickMs = 12 * hourMs;
export const keyLifetimeMs = 24 * hourMs;
/** So many of them are a window. */
export const windowTicks = 2;
/** An age that makes no difference any more. */
export const ticksMax = 3;

const names = ['writes', 'charges', 'refused', 'burnt', 'outside', 'lines', 'claims'] as const;

/** Columns of the table of writes. */
export const column = { key: 0, state: 6, firstMs: 7, attempts: 8, clean: 9, endMs: 10 } as const;

/** Columns of the table of charges. */
export const chargeColumn = { state: 3, endMs: 4 } as const;

/** One database for all worlds: each step loads its memory, changes it, and reads it again. */
export function openMemory() {
  const database = new Database(':memory:');
  const carryOut = answering(database, ledgerContents);
  carryOut(sql.setFact.run('policyVersion', '1'));
  carryOut(sql.setFact.run('policyDigest', 'd'));
  const tablesOf = names.map((name) => {
    const all = database.prepare(`SELECT * FROM ${name}`).raw();
    const columns = database.prepare(`PRAGMA table_info(${name})`).all().length;
    const marks = Array.from({ length: columns }, () => '?').join(', ');
    return {
      name,
      all: (): Row[] => all.all().filter(Array.isArray),
      clear: database.prepare(`DELETE FROM ${name}`),
      add: database.prepare(`INSERT INTO ${name} VALUES (${marks})`),
    };
  });
  // A finding is kept for people, and decides nothing.
  const forgetFindings = database.prepare('DELETE FROM findings');
  const changes = database.prepare('SELECT total_changes()').raw();
  const changeCount = (): unknown => [changes.get()].flat()[0];
  /** The tables that the database holds as some memory has them. */
  let held: Partial<Memory> = {};
  const load = (memory: Memory): void => {
    for (const { name, clear, add } of tablesOf) {
      if (held[name] === memory[name]) continue;
      clear.run();
      for (const row of memory[name]) add.run(...row);
    }
    held = memory;
  };
  const store = (before: Memory): Memory => {
    forgetFindings.run();
    const [writes = [], ...others] = tablesOf.map(({ name, all }) => {
      const rows = all();
      if (isDeepStrictEqual(rows, before[name])) return before[name];
      held = { ...held, [name]: undefined };
      return rows;
    });
    const [charges = [], refused = [], burnt = [], outside = [], lines = [], claims = []] = others;
    return { writes: writes.map(counted), charges, refused, burnt, outside, lines, claims };
  };
  return {
    /** The memory after some work by the product's rules, and what the work has answered. */
    after: <T>(memory: Memory, work: Work<T>): { memory: Memory; answer: T } => {
      load(memory);
      const count = changeCount();
      try {
        const answer = carryOut(work);
        return { memory: changeCount() === count ? memory : store(memory), answer };
      } catch (error) {
        if (changeCount() !== count) held = {};
        throw error;
      }
    },
  };
}

/** Only the attempts count whose end is not known. More than two of them make no difference. */
function counted(row: Row): Row {
  const open = Number(row[column.attempts]) - Number(row[column.clean]);
  return row.map((value, at) => {
    if (at === column.attempts) return Math.min(open, 2);
    return at === column.clean ? 0 : value;
  });
}

export type LedgerMemory = ReturnType<typeof openMemory>;

export const nothing: Memory = {
  writes: [],
  charges: [],
  refused: [],
  burnt: [],
  outside: [],
  lines: [],
  claims: [],
};

/** Columns of the tables that hold a moment. */
const momentsOf = {
  writes: [column.firstMs, column.endMs],
  charges: [chargeColumn.endMs],
  claims: [1],
} as const;

/** The same memory, one tick later. */
export function aged(memory: Memory): Memory {
  const older = (row: Row, at: readonly number[]): Row =>
    row.map((value, index) => {
      if (!at.includes(index) || typeof value !== 'number' || value === 0) return value;
      return Math.max(value - tickMs, nowMs - ticksMax * tickMs);
    });
  return {
    ...memory,
    writes: memory.writes.map((row) => older(row, momentsOf.writes)),
    charges: memory.charges.map((row) => older(row, momentsOf.charges)),
    claims: memory.claims.map((row) => older(row, momentsOf.claims)),
  };
}

/** The part of a payment that counts in the window. */
export const ownCharge = { scope: { rule: 'r' }, money: 'm', amount: 1n } as const;

/** A write of one unit of money, under one window. */
export function reservationOf(write: string, generation: number, max: number): Reservation {
  return {
    key: `${write}#${generation}`,
    parts: { workflowId: write, step: 's', item: '1', generation },
    hash: write,
    body: 'b',
    charges: [ownCharge],
    windows: [{ ...ownCharge, rule: 'r', hours: 24, max: BigInt(max) }],
    policy: { version: 1, digest: 'd' },
    grounds: { policy: '1 d', rules: ['r'] },
  };
}
