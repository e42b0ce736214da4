import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { flowsNamed } from './flows/flows';
import { isClean, showFinding, showResult } from './matrix';
import { huntPlanted } from './planted/huntPlanted';
import { type ProcessName, processNames } from './proxies/gate';
import { type Progress, runSweep, type SweepOptions } from './runSweep';

const usage = [
  'npm run sweep -- [--seed N] [--rounds N] [--only <flow>] [--at <boundary>]',
  `  [--process ${processNames.join('|')}]`,
  '  [--sample N] [--pairs N] [--orders-per-kill N] [--lanes N] [--root <folder>]',
  "npm run sweep -- --planted [part of a bug's name]",
].join('\n');

type Arguments = SweepOptions & { rounds: number };

async function main(): Promise<void> {
  const [first, ...words] = process.argv.slice(2);
  if (first === '--planted') {
    const isWell = await huntPlanted(join(__dirname, '..', '..'), words.join(' '));
    process.exitCode = isWell ? 0 : 1;
    return;
  }
  const { rounds, ...options } = readArguments();
  for (const [round, isTold] of halvesOf(options, rounds)) {
    const seed = options.seed + round;
    const result = await runSweep({
      ...options,
      isTold,
      seed,
      onProgress,
      onFinding: (finding) => console.error(`\n${showFinding(finding)}`),
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    console.log(showResult(result));
    console.log(
      `Seed ${seed}, ${options.lanes} stacks side by side, on ${availableParallelism()} cores ` +
        `(${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}.`,
    );
    if (!isClean(result)) process.exitCode = 1;
  }
}

/** Flows with a receiver are swept by themselves: it would hear of all orders of its stack. */
function halvesOf({ only = [], processes = [] }: SweepOptions, rounds: number) {
  const wanted = [...flowsNamed(only).values()];
  const halves = [false, true].filter((isTold) => {
    const isEmpty = !isTold && processes.every((name) => name === 'receiver');
    return !isEmpty && wanted.some((flow) => (flow.isTold ?? false) === isTold);
  });
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
    halves.map((isTold): [round: number, isTold: boolean] => [round, isTold]),
  );
}

/** The time between two lines of progress when standard output is no terminal. */
const tellEveryMs = 60_000;
let toldAtMs = 0;

function onProgress({ wavesDone, wavesAll, findings }: Progress): void {
  const words = `${wavesDone} of ${wavesAll} waves, ${findings} findings`;
  if (process.stderr.isTTY) {
    process.stderr.write(`\r${words} `);
  } else if (Date.now() > toldAtMs + tellEveryMs) {
    toldAtMs = Date.now();
    process.stderr.write(`${new Date(toldAtMs).toISOString()} ${words}\n`);
  }
}

function readArguments(): Arguments {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        rounds: { type: 'string', default: '1' },
        only: { type: 'string', multiple: true, default: [] },
        at: { type: 'string', multiple: true, default: [''] },
        process: { type: 'string', multiple: true, default: [...processNames] },
        sample: { type: 'string' },
        pairs: { type: 'string', default: '24' },
        'orders-per-kill': { type: 'string', default: '12' },
        lanes: { type: 'string', default: '4' },
        root: { type: 'string', default: join(__dirname, '..', '..') },
      },
    });
    return {
      seed: whole('seed', values.seed),
      rounds: whole('rounds', values.rounds),
      only: values.only,
      at: values.at,
      processes: values.process.map(processOf),
      ...(values.sample === undefined ? {} : { sample: whole('sample', values.sample) }),
      pairs: whole('pairs', values.pairs),
      ordersPerKill: whole('orders-per-kill', values['orders-per-kill']),
      lanes: whole('lanes', values.lanes),
      root: values.root,
    };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`, 2);
  }
}

function whole(name: string, text: string): number {
  const leastOf: Record<string, number> = { seed: 0, pairs: 0 };
  const [value, least] = [Number(text), leastOf[name] ?? 1];
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name}: is "${text}". Give a whole number from ${least}.`);
}

function processOf(name: string): ProcessName {
  const known = processNames.find((one) => one === name);
  if (known !== undefined) return known;
  throw new Error(`--process: is "${name}". Give one of ${processNames.join(', ')}.`);
}

/** Ends the process, and so all of its children. */
function fail(message: string, code: number): never {
  console.error(message);
  process.exit(code);
}

// The children end with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
// A caller may try once more when the connection of its stack is closed. The library then throws.
process.on('uncaughtException', (error) => {
  if (error.message !== 'Channel has been shut down') fail(error.stack ?? error.message, 1);
});
main().catch((error: unknown) => {
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1);
});
