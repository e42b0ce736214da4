import { measureCold, measureStatement, measureWarm } from './books/parts';
import { bookGoals, bookTables, keptName, writeBookDocs } from './books/report';
import type { BookResults } from './books/results';
import type { BenchOptions, Measure } from './measure';
import { measureParts, type Parts } from './parts';

const parts: Parts<BookResults> = {
  warm: measureWarm,
  statement: measureStatement,
  cold: measureCold,
};

export const bookParts: readonly string[] = Object.keys(parts);

/** Reads the books of a synthetic day, of up to a million rows. */
export function benchBooks(options: BenchOptions): Promise<Measure[]> {
  const bench = { name: 'books', parts, keptName, writeDocs: writeBookDocs };
  return measureParts({ ...bench, tablesOf: bookTables, goalsOf: bookGoals }, options);
}
