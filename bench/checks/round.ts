import { openArchive } from '../../src/books/archive/openArchive';
import { runChecks } from '../../src/checks/check';
import { readBook } from '../../src/checks/readBook';
import { linesOf } from './account';

/** The cost of one round. Memory is the most that its process ever had resident. */
export type Round = Record<'seconds' | 'cpuSeconds' | 'bookSeconds' | 'mebibytes', number>;

/** Checks an order once, in a process of its own, and prints its cost. */
async function main([store = '', bookPath = '', lines = '']: readonly string[]): Promise<void> {
  const archive = await openArchive(store);
  const order = { payments: linesOf(Number(lines)), wallets: [] };
  const startedMs = performance.now();
  const book = readBook(bookPath, 'ARC-TESTNET');
  const readMs = performance.now();
  const before = process.cpuUsage();
  const paid = archive.payments();
  const { findings } = await runChecks(order, { book, paid, nowMs: Date.now() });
  const endedMs = performance.now();
  const { user, system } = process.cpuUsage(before);
  await archive.close();
  if (findings.length < order.payments.length / 10) throw new Error('The checks found too little.');
  const round: Round = {
    seconds: (endedMs - readMs) / 1_000,
    cpuSeconds: (user + system) / 1_000_000,
    bookSeconds: (readMs - startedMs) / 1_000,
    mebibytes: process.resourceUsage().maxRSS / 1_024,
  };
  console.log(`Round ${JSON.stringify(round)}`);
}

void main(process.argv.slice(2));
