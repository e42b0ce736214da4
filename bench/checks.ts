import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../src/books/archive/openArchive';
import { bareEnvironment } from '../src/local/bareEnvironment';
import { startChild } from '../src/local/childProcess';
import { bookSize, fill, payments, writeBook } from './checks/account';
import type { Round } from './checks/round';
import type { Bench, Measure } from './measure';
import { program } from './payouts/startService';

const roundMsMax = 120_000;

/** Checks an order of many lines against an account with a million payments and a large book. */
export const benchChecks: Bench = async ({ lines, rounds, isEarly }) => {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-checks-'));
  const [store, book] = [join(folder, 'store'), join(folder, 'book.csv')];
  try {
    await fill(store);
    writeBook(book);
    const firstS = await keepShort(`file:${store}`);
    const all: Round[] = [];
    while (all.length < rounds && (all.length === 0 || isEarly())) {
      all.push(await runRound(`file:${store}`, book, lines));
    }
    return tell(all, { lines, firstS });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The first reading makes the short forms of all receipts. It happens once for each receipt. */
async function keepShort(store: string): Promise<number> {
  const archive = await openArchive(store);
  const startedMs = performance.now();
  for await (const _ of archive.payments()) break;
  await archive.close();
  return (performance.now() - startedMs) / 1_000;
}

/** Runs a round in a process of its own, since memory is that of the whole process. */
async function runRound(store: string, book: string, lines: number): Promise<Round> {
  const path = join(__dirname, 'checks', 'round.ts');
  const command = [...program(path), store, book, `${lines}`] as const;
  const child = startChild({ command, env: bareEnvironment() });
  try {
    const [, told = ''] = await child.waitForLine(/^Round (.*)$/, roundMsMax);
    return JSON.parse(told);
  } finally {
    await child.stop();
  }
}

function tell(
  all: readonly Round[],
  { lines, firstS }: { lines: number; firstS: number },
): Measure[] {
  return [
    {
      name: `check ${lines} lines, ${payments} payments, ${bookSize} names`,
      unit: 's',
      values: all.map(({ seconds }) => seconds),
      goal: { atMost: 5 },
    },
    {
      name: 'processor of these checks',
      unit: 's',
      values: all.map(({ cpuSeconds }) => cpuSeconds),
    },
    {
      name: 'memory of the whole process',
      unit: 'MiB',
      values: all.map(({ mebibytes }) => mebibytes),
      goal: { atMost: 300 },
    },
    {
      name: `read the address book of ${bookSize} names`,
      unit: 's',
      values: all.map(({ bookSeconds }) => bookSeconds),
    },
    { name: 'short forms of a million receipts, once', unit: 's', values: [firstS] },
  ];
}
