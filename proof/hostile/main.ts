import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Flood, floodKinds, startFlood } from './floods';
import { startStage } from './stage';
import { note, storm, type Tally } from './storm';

const usage = 'npm run hostile -- [--minutes N] [--flood checked|pipelined] [--per-second N]';
const orders = 1_000;
const sampleMs = 10_000;
const trueEveryMs = 50;
/**
 * Growth of the receiver's memory, from the first to the last quarter, that still counts as flat.
 * Garbage grows until it is collected, so the lowest value of each quarter counts.
 */
const growthMax = 1.15;
/** The most that it may ever have, in mebibytes. */
const memoryMax = 512;

/** Attacks a receiver for some minutes. True notices must pass, and its memory must stay flat. */
async function main(): Promise<void> {
  const { minutes, kind, perS } = readArguments();
  const stage = await startStage(orders);
  // The receiver knows the key before the attack, as one does that has run for a while.
  for (let tries = 0; tries < 100 && (await stage.send(stage.notice(0))) !== 200; tries++) {
    await sleep(trueEveryMs);
  }
  const [tally, samples, waits]: [Tally, number[], number[]] = [new Map(), [], []];
  const end = new AbortController();
  const { port } = stage;
  const flood = kind && startFlood(kind, { port, post: stage.forged(0), perS });
  const storming = flood === undefined ? storm(stage, tally, end.signal) : undefined;
  const sampling = sampleMemory(stage.receiver.pid, samples, end.signal);
  const endMs = Date.now() + minutes * 60_000;
  for (let order = 0; Date.now() < endMs; order++) {
    const startedMs = performance.now();
    note(tally, 'true', await stage.send(stage.notice(order % orders)));
    waits.push(performance.now() - startedMs);
    await sleep(trueEveryMs);
  }
  end.abort();
  await Promise.all([storming, sampling, flood?.stop()]);
  if (flood !== undefined) tellFlood(flood);
  const isWell = tell({ tally, samples, waits, minutes, lookUps: stage.lookUps() });
  await stage.stop();
  process.exit(isWell ? 0 : 1);
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      flood: { type: 'string' },
      'per-second': { type: 'string', default: '10000' },
    },
  });
  const [minutes, perS] = [Number(values.minutes), Number(values['per-second'])];
  const kind = floodKinds.find((one) => one === values.flood);
  const isWrong = !(minutes > 0) || !(perS > 0) || (values.flood !== undefined && !kind);
  if (isWrong) throw new Error(`An option has a value that cannot be used.\n${usage}`);
  return { minutes, kind, perS };
}

/** Prints the rate that the sender has reached. It shares the processors with the receiver. */
function tellFlood({ seconds }: Flood): void {
  const middle = (of: keyof Flood['seconds'][number]): number => {
    const sorted = seconds.map((one) => one[of]).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  const [sent, connections, answers] = [middle('sent'), middle('connections'), middle('answers')];
  console.log(`forged: ${sent}/s sent over ${connections}/s connections, ${answers}/s answered`);
}

async function sampleMemory(pid: number, samples: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(sampleMs, undefined, { signal }).catch(() => {});
    samples.push(residentMebibytes(pid));
  }
}

/** Counts a process and its children, since the program runs below a guard. */
function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kibibytes = '0'] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const ids = children.filter(Boolean).map(Number);
  return ids.reduce((sum, id) => sum + residentMebibytes(id), Number(kibibytes) / 1024);
}

type Result = {
  tally: Tally;
  samples: readonly number[];
  waits: readonly number[];
  minutes: number;
  lookUps: number;
};

/** Prints the result. Returns true if every true notice passed and the memory stayed flat. */
function tell({ tally, samples, waits, minutes, lookUps }: Result): boolean {
  const seconds = minutes * 60;
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number): string =>
    `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`;
  for (const [name, count] of [...tally].sort()) {
    console.log(
      `${name.padEnd(16)} ${String(count).padStart(9)}  ${(count / seconds).toFixed(1)}/s`,
    );
  }
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const first = Math.min(...samples.slice(0, quarter));
  const last = Math.min(...samples.slice(-quarter));
  console.log(`true notices: p50 ${at(0.5)}, p99 ${at(0.99)} until Temporal had the signal`);
  console.log(`look-ups of keys: ${lookUps} in ${seconds} s`);
  console.log(`memory, each ${sampleMs / 1_000} s: ${samples.map(Math.round).join(' ')} MiB`);
  const lost = [...tally].filter(([name]) => name.startsWith('true ') && name !== 'true 200');
  const isFlat = last <= first * growthMax && Math.max(...samples) <= memoryMax;
  console.log(
    `memory is ${isFlat ? 'flat' : 'NOT flat'}, ${lost.length === 0 ? 'no' : 'SOME'} true notice was refused`,
  );
  return isFlat && lost.length === 0;
}

void main();
