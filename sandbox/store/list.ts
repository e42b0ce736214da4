import type { Parameter, Statements } from './statements';

/** The value of a record's column, to find the record by. */
export type Column<Row> = (row: Row) => string | number | undefined;

export type Table<Row, Name extends string> = {
  name: string;
  columns: Readonly<Record<Name, Column<Row>>>;
  /** Each in the order of creation where its columns are the same. */
  indexes: readonly (readonly Name[])[];
};

export type SortOrder = 'ASC' | 'DESC';

/** A query for records of a collection, in the order of their creation. */
export type Query<Name extends string> = {
  /** The value that a column must have, or several of which it must have one. */
  filters?: Filters<Name>;
  /** From the first to the last moment of creation, both included. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** The id that they come after in this order, or that they are the last ones before. */
  after?: string | undefined;
  before?: string | undefined;
  /** Newest first unless it says otherwise. */
  order?: SortOrder | undefined;
  limit?: number | undefined;
};

export type Filters<Name extends string> = {
  readonly [Key in Name | 'id']?: string | readonly string[] | undefined;
};

/** The name of the index over these columns, such as transactionsByWalletIdAndStage. */
export function indexName(table: string, columns: readonly string[]): string {
  const words = columns.map((column) => `${column.charAt(0).toUpperCase()}${column.slice(1)}`);
  return `${table}By${words.join('And')}`;
}

type Condition = readonly [column: string, values: readonly string[]];

/** The filters that say something, each with the values that it lets through. */
export function conditions(filters: Filters<string>): Condition[] {
  return Object.entries(filters).flatMap(([column, value]): Condition[] => {
    if (value === undefined) return [];
    return [[column, typeof value === 'string' ? [value] : value]];
  });
}

/**
 * The records that a query asks for. It walks an index whose columns all have a value to find.
 * There is one walk for each combination of values, and the walks are merged. So it takes as long
 * as its answer, not as the table.
 */
export function listRows<Row>(
  run: Statements,
  table: Table<Row, string>,
  query: Query<string>,
): Row[] {
  const { order = 'DESC', before, limit = -1 } = query;
  // The last ones before a record are met by going from it towards the first.
  const isBackwards = before !== undefined;
  const direction = (order === 'ASC') !== isBackwards ? 'ASC' : 'DESC';
  const { from, walks } = plan(table, query);
  const sorted = `ORDER BY seq ${direction} LIMIT ?`;
  const walk = (what: string) => `SELECT ${what} FROM ${from} ${sorted}`;
  const [only] = walks;
  const rows =
    only !== undefined && walks.length === 1
      ? run.docs<Row>(walk('doc'), ...only, limit)
      : run.docs<Row>(
          `SELECT doc FROM ${table.name} WHERE seq IN (SELECT value FROM json_each(?)) ${sorted}`,
          // However many walks there are, they are one statement: each prepared one is kept.
          JSON.stringify(
            walks.flatMap((values) => run.numbers(walk('seq AS number'), ...values, limit)),
          ),
          limit,
        );
  return isBackwards ? rows.reverse() : rows;
}

/** The table and index to walk, and one list of values for each walk. */
function plan(
  table: Table<never, string>,
  query: Query<string>,
): { from: string; walks: Parameter[][] } {
  const given = new Map(conditions(query.filters ?? {}));
  const index = table.indexes.find((columns) => columns.every((column) => given.has(column))) ?? [];
  const others = [...given]
    .filter(([column]) => !index.includes(column))
    .map(([column, values]) => ({
      // However many there are, they are one parameter: a statement may have only so many.
      sql: `${column} IN (SELECT value FROM json_each(?))`,
      parameters: [JSON.stringify(values)],
    }));
  const clauses = [...others, ...ranges(table.name, query)];
  const where = [...index.map((column) => `${column} = ?`), ...clauses.map(({ sql }) => sql)];
  const indexed = index.length === 0 ? '' : `INDEXED BY ${indexName(table.name, index)}`;
  const found = combinations(index.map((column) => given.get(column) ?? []));
  return {
    from: `${table.name} ${indexed} WHERE ${where.join(' AND ') || 'TRUE'}`,
    walks: found.map((values) => [...values, ...clauses.flatMap(({ parameters }) => parameters)]),
  };
}

type Clause = { sql: string; parameters: readonly Parameter[] };

/** Moments and ids as bounds of the one number that records are in order of. */
function ranges(table: string, { order, after, before, fromMs, toMs }: Query<string>): Clause[] {
  const [later, earlier] = order === 'ASC' ? ['>', '<'] : ['<', '>'];
  const ofId = `(SELECT seq FROM ${table} WHERE id = ?)`;
  const ofMoment = (sign: string, direction: string) =>
    `(SELECT seq FROM ${table} WHERE createdAtMs ${sign} ?
      ORDER BY createdAtMs ${direction}, seq ${direction} LIMIT 1)`;
  const bounds: [sql: string, value: Parameter | undefined][] = [
    [`seq ${later} ${ofId}`, after],
    [`seq ${earlier} ${ofId}`, before],
    [`seq >= ${ofMoment('>=', 'ASC')}`, fromMs],
    [`seq <= ${ofMoment('<=', 'DESC')}`, toMs],
  ];
  return bounds.flatMap(([sql, value]) =>
    value === undefined ? [] : [{ sql, parameters: [value] }],
  );
}

/** One value of each list, in every way there is. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (found, values) => found.flatMap((one) => values.map((value) => [...one, value])),
    [[]],
  );
}
