import { type Column, conditions, type Filters, listRows, type Query, type Table } from './list';
import type { Statements } from './statements';

export type Collection<Row extends { id: string }, Name extends string> = ReturnType<
  typeof createCollection<Row, Name>
>;

type Listener<Row> = (row: Row, before: Row | undefined) => void;

/** The number of remembered records. A remembered record is not read and parsed each time. */
const keptMax = 500;

/** Records of one noun, kept as JSON with a few columns to find them by. */
export function createCollection<
  Row extends { id: string; createdAtMs?: number },
  Name extends string,
>(run: Statements, table: Table<Row, Name>) {
  const { name } = table;
  const columns: Record<string, Column<Row>> = { ...table.columns };
  const names = Object.keys(columns);
  const inColumn = (row: Row, column: string) =>
    (column === 'id' ? row.id : columns[column]?.(row)) ?? null;
  const listeners: Listener<Row>[] = [];
  const tell = (row: Row, before?: Row): void => {
    for (const listener of listeners) listener(row, before);
  };
  const kept = new Map<string, Row>();
  const keep = (row: Row): Row => {
    kept.set(row.id, Object.freeze(row));
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
    return row;
  };
  const get = (id: string): Row | undefined => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const [row] = run.docs<Row>(`SELECT doc FROM ${name} WHERE id = ?`, id);
    return row && keep(row);
  };
  const insertSql = insertStatement(name, names);
  return {
    get,
    insert: (row: Row): void => {
      const values = names.map((column) => inColumn(row, column));
      run.write(insertSql, row.id, ...values, row.createdAtMs ?? null, JSON.stringify(row));
      tell(row);
    },
    /** Replaces some fields of a record that exists. */
    update: (id: string, fields: Partial<Row>): Row => {
      const row = get(id);
      if (row === undefined) throw new Error(`There is no ${id} in ${name}.`);
      const next = { ...row, ...fields };
      // A column that stays as it is costs no work at its indexes.
      const changed = names.filter((column) => inColumn(next, column) !== inColumn(row, column));
      const sets = [...changed, 'doc'].map((column) => `${column} = ?`).join(', ');
      const values = changed.map((column) => inColumn(next, column));
      run.write(`UPDATE ${name} SET ${sets} WHERE id = ?`, ...values, JSON.stringify(next), id);
      keep(next);
      tell(next, row);
      return next;
    },
    /** True where there was such a record. */
    remove: (id: string): boolean => {
      kept.delete(id);
      return run.write(`DELETE FROM ${name} WHERE id = ?`, id) > 0;
    },
    list(query: Query<Name> = {}): Row[] {
      return listRows(run, table, query);
    },
    /** Records whose column has the value, oldest first. */
    where: (column: Name, value: string): Row[] => {
      const filters: Filters<string> = { [column]: value };
      return listRows(run, table, { filters, order: 'ASC' });
    },
    /** Returns true if the filters let this record through. */
    matches: (row: Row, filters: Filters<Name>): boolean =>
      conditions(filters).every(([column, values]) =>
        values.includes(String(inColumn(row, column))),
      ),
    /** Calls back with each record that was just written, and as it was before, in the same commit. */
    onWrite: (listener: Listener<Row>): void => void listeners.push(listener),
    /** Forgets the remembered records, after some changes were rolled back. */
    forget: () => kept.clear(),
  };
}

/** Moments of creation never fall, so that their order is the order of the records. */
function insertStatement(table: string, names: readonly string[]): string {
  const latest = `COALESCE((SELECT MAX(createdAtMs) FROM ${table}), 0)`;
  const marks = ['?', ...names.map(() => '?'), `MAX(?, ${latest})`, '?'].join(', ');
  const all = ['id', ...names, 'createdAtMs', 'doc'].join(', ');
  return `INSERT INTO ${table} (${all}) VALUES (${marks})`;
}
