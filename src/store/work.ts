export type Row = Record<string, unknown>;

/** A statement and its values, in SQL that each kind of database understands. */
type Query = { text: string; values: readonly unknown[] };

/**
 * A piece of work on a database. It yields queries, receives their rows, and returns its result. So
 * the rules are the same for a file, which answers at once, and for a server, which answers later.
 */
export type Work<T> = Generator<Query, T, readonly Row[]>;

/** One statement, and the ways to carry it out. */
export const statement = (text: string) => ({
  *run(...values: unknown[]): Work<void> {
    yield { text, values };
  },
  *all(...values: unknown[]): Work<readonly Row[]> {
    return yield { text, values };
  },
  *get(...values: unknown[]): Work<Row | undefined> {
    const [row] = yield { text, values };
    return row;
  },
});

/** A database that is open. */
export type OpenDatabase = {
  /** Runs work as one transaction, which no other change overlaps. */
  change<T>(work: Work<T>): Promise<T>;
  /** Runs work that changes nothing. */
  read<T>(work: Work<T>): Promise<T>;
  close(): Promise<void>;
};

/** The contents of a database, and the words for its faults. */
export type Contents = {
  /** As errors name it, such as "ledger". */
  name: string;
  /** The schema of its tables in Postgres. */
  schema: string;
  /** Its changes lock this number in Postgres. No other program of the database may use it. */
  lockId: number;
  tables: readonly string[];
  indexes: readonly string[];
  /** The table that came last. A database that has it has all others. */
  newestTable: string;
  /** The fault of a database that nobody has made yet. Without these words it is made. */
  absent?: string;
  /** True to open a file without reading all of it. Damage is told once it is read. */
  isHurried?: boolean;
  /** The way out of a damaged file. */
  whenDamaged: string;
  /** Thrown while it cannot be used. */
  Fault: new (
    message: string,
    options?: ErrorOptions,
  ) => Error;
};
