import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { PartOptions } from '../parts';
import { type DayShape, dayOf } from './day';
import type { Run } from './results';
import { type Stage, startStage } from './stage';

const day = ['--from', '2026-01-01', '--to', '2026-01-01'];
const reconcileSizes = [10_000, 100_000];
const statementRows = [10_000, 100_000, 1_000_000];
const onChain = { perBlock: 5, spread: 2 };
/** A transaction makes ten rows of a statement, gas included. */
const transfersEach = 9;

/** A day is reconciled with a warm account index and an archive. */
export function measureWarm(options: PartOptions): Promise<{ runs: Run[] }> {
  return measureReconcile(options, ['--indexed']);
}

/** The same from the list of the service alone. */
export function measureCold(options: PartOptions): Promise<{ runs: Run[] }> {
  return measureReconcile(options, []);
}

async function measureReconcile(
  { tell, linesMax }: PartOptions,
  flags: readonly string[],
): Promise<{ runs: Run[] }> {
  const sizes = reconcileSizes.filter((size) => size <= linesMax);
  const runs: Run[] = [];
  for (const payments of sizes) {
    const shape = { transactions: payments, transfersEach: 1, wallets: 10, ...onChain };
    const run = await onStage(shape, async (stage) => {
      await stage.archive();
      if (flags.length > 0) await stage.warm();
      return written(stage, ['reconcile', ...day, ...flags]);
    });
    runs.push({ payments, ...run });
    tell(`reconcile ${flags.join(' ')} of ${payments} payments: ${told(run)}`);
  }
  return { runs };
}

/** The memory of statements of more and more rows. */
export async function measureStatement({ tell, linesMax }: PartOptions): Promise<{ runs: Run[] }> {
  const runs: Run[] = [];
  for (const rows of statementRows.filter((size) => size <= linesMax * transfersEach * 2)) {
    const transactions = rows / (transfersEach + 1);
    const shape = { transactions, transfersEach, wallets: 1, ...onChain };
    const { id } = dayOf(shape).wallet(0);
    const run = await onStage(shape, (stage) =>
      written(stage, ['statement', '--wallet', id, ...day]),
    );
    runs.push({ payments: transactions * transfersEach, ...run });
    tell(`statement of ${run.rows} rows: ${told(run)}`);
  }
  return { runs };
}

async function onStage<T>(shape: DayShape, act: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await startStage(shape);
  try {
    return await act(stage);
  } finally {
    await stage.leave();
  }
}

async function written(stage: Stage, args: readonly string[]): Promise<Omit<Run, 'payments'>> {
  const path = join(stage.folder, 'rows.jsonl');
  // The command line is bundled before the measurement, as the package is.
  await stage.run(['--version']);
  const { lists: pages, ...cost } = await stage.run([...args, '--out', path]);
  return { ...cost, pages, rows: await linesIn(path) };
}

async function linesIn(path: string): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(path)) {
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return lines;
}

function told({ seconds, cpuSeconds, peakMebibytes, pages }: Omit<Run, 'payments'>): string {
  const cpu = `${cpuSeconds.toFixed(1)} s of processor`;
  return `${seconds.toFixed(1)} s, ${cpu}, ${peakMebibytes.toFixed(0)} MiB, ${pages} pages`;
}
