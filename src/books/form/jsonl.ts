import type { StatementRow } from '../statement';

/** A statement as JSON Lines: the form that leaves nothing out. */
export async function* inJsonLines(
  rows: AsyncIterable<StatementRow>,
): AsyncGenerator<string, void> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
