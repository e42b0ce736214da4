import { writePage } from '../docs';
import { section, table } from '../markdown';
import { type Measure, showTable } from '../measure';
import type { BookResults, Run } from './results';

export const keptName = 'books.json';

/** Writes the tables of the books into the page of performance. */
export function writeBookDocs(results: BookResults): void {
  writePage('books', [
    `### Goals of the books\n\n\`\`\`text\n${showTable(bookGoals(results))}\n\`\`\``,
    bookTables(results),
  ]);
}

const most = { mebibytes: 300, warmSeconds: 60, pagesPerS: 10, growth: 1.1 };
const wholeDay = 100_000;

/** The goals of the books, each with its measured values and its bound. */
export function bookGoals({ warm, cold, statement }: BookResults): Measure[] {
  const day = (runs: readonly Run[] = []): Run[] =>
    runs.filter(({ payments }) => payments === wholeDay);
  const [middle, large] = (statement?.runs ?? []).slice(-2);
  const pace = ({ pages, seconds }: Run): number => pages / seconds;
  const peaks = (runs: readonly Run[]): number[] => runs.map((one) => one.peakMebibytes);
  const seconds = day(warm?.runs).map((one) => one.seconds);
  const memory = { unit: 'MiB', goal: { atMost: most.mebibytes } };
  const pages = { unit: '/s', goal: { atMost: most.pagesPerS } };
  return [
    {
      name: 'a day of 100,000, warm',
      unit: 's',
      values: seconds,
      goal: { atMost: most.warmSeconds },
    },
    { name: 'its memory, warm', ...memory, values: peaks(day(warm?.runs)) },
    { name: 'pages of the list, cold', ...pages, values: day(cold?.runs).map(pace) },
    { name: 'its memory, cold', ...memory, values: peaks(day(cold?.runs)) },
    ...(middle === undefined || large === undefined
      ? []
      : [
          {
            name: `memory of a statement of ${large.rows} rows`,
            unit: 'MiB',
            values: [large.peakMebibytes],
            bound: { name: `${middle.rows} rows`, values: [middle.peakMebibytes] },
            goal: { atMost: most.growth },
          },
        ]),
  ].filter(({ values }) => values.length > 0);
}

/** The tables of all parts that were measured. */
export function bookTables({ warm, cold, statement }: BookResults): string {
  const header = ['payments', 'rows', 'pages', 'seconds', 'processor s', 'peak MiB'];
  const rows = (runs: readonly Run[]) =>
    runs.map((one) => [
      one.payments,
      one.rows,
      one.pages,
      ...[one.seconds, one.cpuSeconds].map((seconds) => seconds.toFixed(1)),
      one.peakMebibytes.toFixed(0),
    ]);
  const parts = [
    ['Reconcile with a warm index', warm],
    ['Reconcile from the list', cold],
    ['Statement', statement],
  ] as const;
  return parts
    .flatMap(([title, part]) =>
      part === undefined ? [] : section(title, part, table(header, rows(part.runs))),
    )
    .join('\n\n');
}
