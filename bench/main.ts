import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { batchParts, benchBatches } from './batches';
import { benchBooks, bookParts } from './books';
import { benchChecks } from './checks';
import { benchConsole } from './console';
import { type Bench, type BenchOptions, type Measure, showTable } from './measure';
import { benchNotices, noticeParts } from './notices';
import { benchPayouts, payoutParts } from './payouts';
import { benchSandbox } from './sandbox';

type Timed = {
  bench: Bench;
  /** No round begins later than this after the start. */
  earlyMs: number;
  /** A run that takes longer than this hangs. */
  msMax: number;
};

const minuteMs = 60_000;
const benches: Readonly<Record<string, Timed>> = {
  sandbox: { bench: benchSandbox, earlyMs: 3 * minuteMs, msMax: 6 * minuteMs },
  notices: { bench: benchNotices, earlyMs: 20 * minuteMs, msMax: 30 * minuteMs },
  batches: { bench: benchBatches, earlyMs: 60 * minuteMs, msMax: 120 * minuteMs },
  checks: { bench: benchChecks, earlyMs: 3 * minuteMs, msMax: 10 * minuteMs },
  console: { bench: benchConsole, earlyMs: 20 * minuteMs, msMax: 40 * minuteMs },
  books: { bench: benchBooks, earlyMs: 60 * minuteMs, msMax: 120 * minuteMs },
  payouts: { bench: benchPayouts, earlyMs: 60 * minuteMs, msMax: 90 * minuteMs },
};

const usage = [
  `npm run bench -- [${Object.keys(benches).join(' | ')}] [--rounds N]`,
  `notices: [--only ${noticeParts.join(',')}]`,
  `batches: [--only ${batchParts.join(',')}] [--lines N] [--out FILE] [--docs] [--from FILE]`,
  'console: [--orders N] [--lines N]',
  `books: [--only ${bookParts.join(',')}] [--lines N] [--out FILE] [--docs] [--from FILE]`,
  `payouts: [--only ${payoutParts.join(',')}] [--lines N] [--out FILE] [--docs] [--from FILE]`,
].join('\n  ');

type Options = Omit<BenchOptions, 'isEarly'>;

async function main(): Promise<void> {
  const { names, ...options } = readArguments();
  const startedAtMs = Date.now();
  const measures: Measure[] = [];
  for (const name of names) measures.push(...(await inTime(name, options)));
  console.log(showTable(measures));
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const seconds = Math.round((Date.now() - startedAtMs) / 1000);
  console.log(
    `Medians of ${options.rounds} rounds at most, on ${availableParallelism()} cores ` +
      `(${cpus()[0]?.model ?? 'unknown'}), ${gibibytes} GiB, Node ${process.versions.node}, ` +
      `in ${seconds} s.`,
  );
}

async function inTime(name: string, options: Options): Promise<Measure[]> {
  const timed = benches[name];
  if (timed === undefined) return [];
  const { bench, earlyMs, msMax } = timed;
  const startedAtMs = Date.now();
  const watch = setTimeout(() => fail(`The bench of ${name} takes too long.`, 1), msMax);
  const isEarly = (): boolean => Date.now() - startedAtMs < earlyMs;
  return bench({ ...options, isEarly }).finally(() => clearTimeout(watch));
}

function readArguments(): Options & { names: string[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '3' },
        lines: { type: 'string', default: '10000' },
        orders: { type: 'string', default: '10000' },
        only: { type: 'string', default: '' },
        out: { type: 'string' },
        from: { type: 'string' },
        docs: { type: 'boolean', default: false },
      },
    });
    const { out, from, docs } = values;
    const only = values.only.split(',').filter(Boolean);
    refuseStrangers('bench', positionals, Object.keys(benches));
    refuseStrangers('part', only, [...payoutParts, ...batchParts, ...noticeParts, ...bookParts]);
    const rounds = atLeastOne('rounds', values.rounds);
    const lines = atLeastOne('lines', values.lines);
    const orders = atLeastOne('orders', values.orders);
    const names = positionals.length > 0 ? positionals : Object.keys(benches);
    return { names, rounds, lines, orders, only, out, from, docs };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`, 2);
  }
}

function refuseStrangers(what: string, named: readonly string[], known: readonly string[]): void {
  const [stranger] = named.filter((name) => !known.includes(name));
  if (stranger !== undefined) throw new Error(`There is no ${what} "${stranger}".`);
}

function atLeastOne(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new Error(`--${name}: give 1 or more.`);
}

/** Ends the process, and with it all that still runs. */
function fail(message: string, code: number): never {
  console.error(message);
  process.exit(code);
}

main().catch((error: unknown) => {
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1);
});
