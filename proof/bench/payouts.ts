import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { BenchOptions, Measure } from './measure';
import { measureGrowth, measureHosted, measureLag, measureSca } from './payouts/parts/alone';
import { measureColumns } from './payouts/parts/columns';
import { measureKilled } from './payouts/parts/killed';
import type { PartOptions } from './payouts/parts/options';
import { measurePolicy } from './payouts/parts/policy';
import { measureSingle } from './payouts/parts/single';
import { measureStartUp } from './payouts/parts/startUp';
import { kept, readResults, writeDocs, writeResults } from './payouts/report/files';
import { goalsOf } from './payouts/report/goals';
import { tablesOf } from './payouts/report/tables';
import type { PartName, Results, Taken } from './payouts/results';

type Parts = {
  [Name in PartName]: (options: PartOptions) => Promise<Omit<Required<Results>[Name], keyof Taken>>;
};

const parts: Required<Parts> = {
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
export async function benchPayouts(options: BenchOptions): Promise<Measure[]> {
  const { rounds, only, lines: linesMax, out, docs, from } = options;
  const results = from === undefined ? {} : readResults(from);
  const tell = (what: string): void => console.error(`payouts: ${what}`);
  const told = { rounds, linesMax, tell };
  const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
  for (const name of from === undefined ? names(only) : []) {
    const taken = { date: new Date().toISOString().slice(0, 10), machine: machine(), command };
    try {
      Object.assign(results, { [name]: { ...taken, ...(await parts[name](told)) } });
    } catch (error) {
      // The other parts are still measured.
      process.exitCode = 1;
      tell(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    // Results are written after each part, so that a later failure does not lose them.
    if (out !== undefined) writeResults(out, results);
    if (docs) writeDocs({ ...readResults(kept), ...results });
  }
  if (docs && from !== undefined) writeDocs({ ...readResults(kept), ...results });
  console.log(`${tablesOf(results)}\n`);
  return goalsOf(results);
}

function names(only: readonly string[]): PartName[] {
  return Object.keys(parts)
    .filter(isPart)
    .filter((name) => only.length === 0 || only.includes(name));
}

function isPart(name: string): name is PartName {
  return Object.hasOwn(parts, name);
}

function machine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const processor = cpus()[0]?.model ?? 'unknown processor';
  const node = `Node ${process.versions.node}`;
  const system = `${type()} ${release()}`;
  return `${availableParallelism()} cores (${processor}), ${gibibytes} GiB, ${node}, ${system}`;
}
