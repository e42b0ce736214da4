import { median } from './measure';
import type { Taken } from './parts';

/** A heading, when and how it was measured, and a table. */
export function section(title: string, { date, machine, command }: Taken, table: string): string {
  return `### ${title}\n\n${date}, ${machine}; \`${command}\`. Medians of all rounds.\n\n${table}`;
}

type Row = readonly (string | number)[];

/** A table. Each row has as many cells as the header. */
export function table(header: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The median of a value over the rounds. A dash if no round has the value. */
export function middle<Round>(
  rounds: readonly Round[],
  pick: (round: Round) => number | undefined,
  digits = 0,
): string {
  const values = rounds.flatMap((round) => pick(round) ?? []);
  return values.length === 0 || values.some(Number.isNaN) ? '–' : median(values).toFixed(digits);
}
