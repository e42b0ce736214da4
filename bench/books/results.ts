import type { Taken } from '../parts';
import type { Cost } from './measured';

/** One run of a command over a synthetic period. */
export type Run = Cost & {
  payments: number;
  /** Rows that it wrote. */
  rows: number;
  /** Pages of the service's list that it read. */
  pages: number;
};

/** All results of the books, by part. A part that was not run is absent. */
export type BookResults = {
  warm?: Taken & { runs: Run[] };
  cold?: Taken & { runs: Run[] };
  statement?: Taken & { runs: Run[] };
};
