import type { StatementRow } from './statement';

/** Rows as they pass by, with the names of their counterparties in an address book. */
export async function* withNames(
  rows: AsyncIterable<StatementRow>,
  nameOf: (address: string) => string | undefined,
): AsyncGenerator<StatementRow, void> {
  for await (const row of rows) {
    const name = nameOf(row.counterparty ?? '');
    yield name ? { ...row, counterpartyName: name } : row;
  }
}
