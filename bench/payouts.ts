import type { BenchOptions, Measure } from './measure';
import { measureParts, type Parts } from './parts';
import { measureGrowth, measureHosted, measureLag, measureSca } from './payouts/parts/alone';
import { measureColumns } from './payouts/parts/columns';
import { measureKilled } from './payouts/parts/killed';
import { measurePolicy } from './payouts/parts/policy';
import { measureSingle } from './payouts/parts/single';
import { measureStartUp } from './payouts/parts/startUp';
import { keptName, writeDocs } from './payouts/report/files';
import { goalsOf } from './payouts/report/goals';
import { tablesOf } from './payouts/report/tables';
import type { Results } from './payouts/results';

const parts: Parts<Results> = {
  columns: measureColumns,
  growth: measureGrowth,
  lag: measureLag,
  hosted: measureHosted,
  sca: measureSca,
  policy: measurePolicy,
  killed: measureKilled,
  single: measureSingle,
  startUp: measureStartUp,
};

export const payoutParts: readonly string[] = Object.keys(parts);

/** Compares payouts with other ways to pay the same lines, on one stub of the service. */
export function benchPayouts(options: BenchOptions): Promise<Measure[]> {
  const bench = { name: 'payouts', parts, keptName, writeDocs, tablesOf, goalsOf };
  return measureParts(bench, options);
}
