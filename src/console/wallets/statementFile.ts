import { statementCsv } from '../../books/form/csv';
import { inHledger } from '../../books/form/hledger';
import type { StatementRow } from '../../books/statement';
import type { StatementTold } from '../../client/account/told';

/** The forms of a statement that can be downloaded. JSON Lines leave nothing out. */
export const statementForms = ['jsonl', 'csv', 'hledger'] as const;
type StatementForm = (typeof statementForms)[number];

/** The rows of a statement that a worker has told. */
export function rowsOf({ lines }: StatementTold): StatementRow[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [rowIn(line)]));
}

function rowIn(line: string): StatementRow {
  return JSON.parse(line);
}

/** The text of a statement in a form. */
export async function statementFile(told: StatementTold, form: StatementForm): Promise<string> {
  if (form === 'jsonl') return told.lines;
  const rows = oneByOne(rowsOf(told));
  const pieces = form === 'csv' ? statementCsv(rows) : inHledger(rows);
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Rows one after another, as the forms take them. */
export async function* oneByOne(rows: readonly StatementRow[]): AsyncGenerator<StatementRow, void> {
  yield* rows;
}
