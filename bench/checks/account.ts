import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import Database from 'libsql';
import { getAddress } from 'viem';
import { openArchive } from '../../src/books/archive/openArchive';
import type { CheckedPayment } from '../../src/checks/payment';

export const payments = 1_000_000;
export const bookSize = 100_000;
const payees = 200_000;
const linesPerPayout = 1_000;
const digest = 'ab'.repeat(32);
/** The last payment is of now, so that the payouts of the last days are compared. */
const endMs = Date.now();
const till = `0x${'7a11'.repeat(10)}`;

/** Writes receipts into the tables of an archive, which is faster than to append them. */
export async function fill(path: string): Promise<void> {
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
  const run = Math.floor(at / linesPerPayout);
  const id = `payout:run-${run}`;
  const linesDigest = run.toString(16).padStart(8, '0');
  const to = addressOf(at % payees);
  const time = new Date(endMs - (payments - at) * 30_000).toISOString();
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
    order: { id, kind: 'payout', digest, linesDigest, payee: `Payee ${at % payees}` },
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

/** Writes an address book. Its addresses have checksums, as most programs write them. */
export function writeBook(path: string): void {
  const rows = Array.from({ length: bookSize }, (_, at) => {
    return `Payee ${at},${getAddress(addressOf(at))},,\n`;
  });
  writeFileSync(path, `name,address,networks,note\n${rows.join('')}`);
}

/** The lines of an order. Every tenth payee was never paid. */
export function linesOf(count: number): CheckedPayment[] {
  return Array.from({ length: count }, (_, at) => {
    const to = addressOf(at % 10 === 0 ? payees + at : at * 7);
    return { lineId: `now.${at}`, to, amount: '12.5', token: 'USDC' };
  });
}
