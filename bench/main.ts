import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Measure, showTable } from './measure';
import { benchSandbox } from './sandbox';

/** What a bench is told. */
export type BenchOptions = {
  /** How often each measure is taken; the table shows medians. */
  rounds: number;
  /** Whether there is time for one more round; a slow machine takes fewer. */
  isEarly(): boolean;
};

/** A bench measures one part of the project, and says on the way how far it is. */
export type Bench = (options: BenchOptions) => Promise<Measure[]>;

const benches: Readonly<Record<string, Bench>> = { sandbox: benchSandbox };

const usage = `npm run bench -- [${Object.keys(benches).join(' | ')}] [--rounds N]`;
/** No round begins later than this after the start. */
const earlyMs = 3 * 60_000;
/** A run that takes longer than this hangs. */
const runMsMax = 6 * 60_000;

async function main(): Promise<void> {
  const { names, rounds } = readArguments();
  const watch = setTimeout(() => fail('The bench takes too long.', 1), runMsMax);
  const startedAtMs = Date.now();
  const options = { rounds, isEarly: () => Date.now() - startedAtMs < earlyMs };
  const measures: Measure[] = [];
  for (const name of names) measures.push(...((await benches[name]?.(options)) ?? []));
  clearTimeout(watch);
  console.log(showTable(measures));
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  console.log(
    `Medians of ${rounds} rounds at most, on ${availableParallelism()} cores ` +
      `(${cpus()[0]?.model ?? 'unknown'}), ${gibibytes} GiB, Node ${process.versions.node}, ` +
      `in ${seconds} s.`,
  );
}

function readArguments(): { names: string[]; rounds: number } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { rounds: { type: 'string', default: '3' } },
    });
    const rounds = Number(values.rounds);
    const strangers = positionals.filter((name) => !Object.hasOwn(benches, name));
    if (strangers.length > 0) throw new Error(`There is no bench "${strangers[0]}".`);
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: give 1 or more.');
    const names = positionals.length > 0 ? positionals : Object.keys(benches);
    return { names, rounds };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`, 2);
  }
}

/** Whatever still runs ends with this process. */
function fail(message: string, code: number): never {
  console.error(message);
  process.exit(code);
}

main().catch((error: unknown) => {
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1);
});
