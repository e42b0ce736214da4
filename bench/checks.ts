import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { Archive } from '../src/books/archive/archive';
import { openArchive } from '../src/books/archive/openArchive';
import { makeBook } from '../src/checks/book';
import { runChecks } from '../src/checks/check';
import type { Payment } from '../src/checks/payment';
import type { Bench, Measure } from './measure';

const payments = 1_000_000;
const payees = 200_000;
const bookSize = 100_000;
const linesPerPayout = 1_000;
const digest = 'ab'.repeat(32);
const till = `0x${'7a11'.repeat(10)}`;

/** Checks an order of many lines against an account with a million payments and a large book. */
export const benchChecks: Bench = async ({ lines, rounds }) => {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-checks-'));
  const path = join(folder, 'store');
  try {
    await fill(path);
    const archive = await openArchive(`file:${path}`);
    const firstS = await keepShort(archive);
    const rows: { seconds: number; mebibytes: number }[] = [];
    for (let round = 0; round < rounds; round += 1) rows.push(await measure(archive, lines));
    await archive.close();
    return tell({ lines, firstS, rows });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The first reading makes the short forms of all receipts. It happens once for each receipt. */
async function keepShort(archive: Archive): Promise<number> {
  const startedMs = performance.now();
  for await (const _ of archive.payments()) break;
  return (performance.now() - startedMs) / 1_000;
}

async function measure(archive: Archive, lines: number) {
  const book = makeBook(bookEntries());
  const order = { payments: Array.from({ length: lines }, lineOf), wallets: [] };
  let peak = process.memoryUsage.rss();
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const startedMs = performance.now();
  const paid = archive.payments();
  const { findings } = await runChecks(order, { book, paid, nowMs: Date.now() });
  const seconds = (performance.now() - startedMs) / 1_000;
  clearInterval(watch);
  if (findings.length < lines / 10) throw new Error('The checks found too little.');
  return { seconds, mebibytes: peak / 2 ** 20 };
}

function tell({
  lines,
  firstS,
  rows,
}: {
  lines: number;
  firstS: number;
  rows: { seconds: number; mebibytes: number }[];
}): Measure[] {
  const seconds = rows.map((row) => row.seconds);
  const mebibytes = rows.map((row) => row.mebibytes);
  return [
    {
      name: `check ${lines} lines, ${payments} payments, ${bookSize} names`,
      unit: 's',
      values: seconds,
      goal: { atMost: 5 },
    },
    { name: 'memory of the whole process', unit: 'MiB', values: mebibytes, goal: { atMost: 300 } },
    { name: 'short forms of a million receipts, once', unit: 's', values: [firstS] },
  ];
}

/** Writes receipts into the tables of an archive, which is faster than to append them. */
async function fill(path: string): Promise<void> {
  await (await openArchive(`file:${path}`)).close();
  const database = new Database(`${path}.archive`);
  const add = database.prepare('INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const addAll = database.transaction(() => {
    for (let at = 1; at <= payments; at += 1) {
      const doc = receiptOf(at);
      const { order, place, time } = doc;
      const values = [at, `${at}`, order.id, place, digest, digest, Date.parse(time)];
      add.run(...values, JSON.stringify(doc));
    }
  });
  addAll();
  database.close();
}

function receiptOf(at: number) {
  const id = `payout:run-${Math.floor(at / linesPerPayout)}`;
  const to = addressOf(at % payees);
  const time = new Date(Date.UTC(2025, 0, 1) + at * 30_000).toISOString();
  const token = { name: 'USDC', address: `0x36${'0'.repeat(38)}`, decimals: 6 };
  return {
    version: 1,
    service: 'https://service.example/v1/w3s',
    step: 'line',
    item: `l.${at}`,
    generation: 0,
    key: digest.slice(0, 36),
    refId: digest,
    transactionId: digest.slice(0, 36),
    outcome: 'completed',
    kind: 'transfer',
    sender: till,
    time,
    order: { id, kind: 'payout', digest, payee: `Payee ${at % payees}` },
    money: { from: till, to, token, amount: '12.5', baseUnits: '12500000' },
    chain: { blockchain: 'ARC-TESTNET', chainId: 5042002, txHash: `0x${digest}`, blockNumber: at },
    fee: { baseUnits: '21000000000000', lines: 1 },
    place: at,
    previous: digest,
    hash: digest,
  };
}

function addressOf(at: number): string {
  return `0x${createHash('sha256').update(`payee ${at}`).digest('hex').slice(0, 40)}`;
}

function* bookEntries() {
  for (let at = 0; at < bookSize; at += 1) yield { name: `Payee ${at}`, address: addressOf(at) };
}

/** One line in ten is to a payee that was never paid. */
function lineOf(_: unknown, at: number): Payment {
  const to = addressOf(at % 10 === 0 ? payees + at : at * 7);
  return { lineId: `now.${at}`, to, amount: '12.5', token: 'USDC' };
}
