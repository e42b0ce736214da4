import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { inDocs, readResults, writeResults } from './docs';
import type { BenchOptions, Measure } from './measure';

/** When, where and how a part was measured. */
export type Taken = { date: string; machine: string; command: string; settleMs?: number };

export type PartOptions = {
  rounds: number;
  /** The maximum number of lines of a race. */
  linesMax: number;
  tell(what: string): void;
};

/** A function for each part of the results. */
export type Parts<Results> = {
  [Name in keyof Results]-?: (
    options: PartOptions,
  ) => Promise<Omit<NonNullable<Results[Name]>, keyof Taken>>;
};

/** A bench of several parts, and what is told of their results. */
export type PartBench<Results> = {
  name: string;
  parts: Parts<Results>;
  /** The file in `docs/` that has the results. */
  keptName: string;
  writeDocs(results: Partial<Results>): void;
  tablesOf(results: Partial<Results>): string;
  goalsOf(results: Partial<Results>): Measure[];
};

/** Measures some parts, or all. Writes results after each, so that a later failure loses nothing. */
export async function measureParts<Results extends object>(
  bench: PartBench<Results>,
  { rounds, only, lines: linesMax, out, docs, from }: BenchOptions,
): Promise<Measure[]> {
  const results: Partial<Results> = from === undefined ? {} : readResults<Results>(from);
  const kept = inDocs(bench.keptName);
  const tell = (what: string): void => console.error(`${bench.name}: ${what}`);
  const keep = (): void => {
    if (out !== undefined) writeResults(out, results);
    if (!docs) return;
    const all = { ...readResults<Results>(kept), ...results };
    writeResults(kept, all);
    bench.writeDocs(all);
  };
  const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
  for (const name of from === undefined ? namesOf(bench.parts, only) : []) {
    const taken = { date: new Date().toISOString().slice(0, 10), machine: machine(), command };
    try {
      const measured = await bench.parts[name]({ rounds, linesMax, tell });
      Object.assign(results, { [name]: { ...taken, ...measured } });
    } catch (error) {
      // The other parts are still measured.
      process.exitCode = 1;
      tell(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
    keep();
  }
  if (from !== undefined) keep();
  console.log(`${bench.tablesOf(results)}\n`);
  return bench.goalsOf(results);
}

type Name<Results> = keyof Results & string;

function namesOf<Results>(parts: Parts<Results>, only: readonly string[]): Name<Results>[] {
  const isPart = (name: string): name is Name<Results> => Object.hasOwn(parts, name);
  return Object.keys(parts)
    .filter(isPart)
    .filter((name) => only.length === 0 || only.includes(name));
}

function machine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const processor = cpus()[0]?.model ?? 'unknown processor';
  const node = `Node ${process.versions.node}`;
  const system = `${type()} ${release()}`;
  return `${availableParallelism()} cores (${processor}), ${gibibytes} GiB, ${node}, ${system}`;
}
