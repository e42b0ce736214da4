import { type PublicClient, TransactionNotFoundError } from 'viem';
import { type BookRow, readBooks } from '../../../src/books/books';
import { openNode } from '../../../src/books/chain/node';
import { isTrouble, readChain, shouldHave } from '../../../src/chain/readChain';
import { paperChain } from '../../support/chain/paperChain';
import { eurc } from '../../support/sandbox';
import { seeded } from '../../support/seeded';
import { startHostileNode } from '../../support/service/hostileNode';

const wallets = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
const other = `0x${'c3'.repeat(20)}` as const;
const head = 30_000;
const random = seeded(7);
const blocks = new Set([
  head,
  head - 1,
  head - 3,
  ...Array.from({ length: 60 }, () => 4 + random(head - 4)),
]);
const moves = [...blocks]
  .sort((one, two) => one - two)
  .map((block, at) => ({
    block,
    from: at % 3 === 2 ? (wallets[at % 2] ?? other) : other,
    to: at % 3 === 2 ? other : (wallets[at % 2] ?? other),
    units: at % 3 === 2 ? 1n : 100n,
  }));
const chain = paperChain({ token: eurc, moves });
const usual = {
  answer: chain.answer,
  head: () => head,
  lags: [0, 2, 5],
  callsMax: 40,
  spanMax: 10_000,
  logsMax: 12,
};
const period = { fromMs: chain.timeMsOf(0) + 1, untilMs: chain.timeMsOf(head) + 86_400_000 };

async function rowsOf(url: string, from = period): Promise<BookRow[]> {
  const rows: BookRow[] = [];
  const asked = { node: openNode(url), blockchain: 'ARC-TESTNET', wallets, period: from };
  for await (const row of readBooks(asked)) rows.push(row);
  return rows;
}

/** Reads until no passing trouble is in the way. */
async function persistently<T>(url: string, read: (one: PublicClient) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const told = await readChain(url, read);
      if (!String(told).includes('HttpRequestError')) return told;
    } catch (error) {
      if (!isTrouble(error)) throw error;
    }
  }
}

const movesIn = (rows: readonly BookRow[]) =>
  rows.flatMap((row) => (row.row === 'movement' ? [row.movement.block] : []));

describe('a hostile node', () => {
  test.each([
    [1, 10_000],
    [2, 1_000],
    [3, 101],
  ])('tells whole books by seed %i, in parts of %i blocks', async (seed, spanMax) => {
    const node = await startHostileNode({ ...usual, seed, spanMax, callsMax: 400 });
    try {
      const after = Math.max(0, head - 30 * spanMax);
      const rows = await rowsOf(node.url, { ...period, fromMs: chain.timeMsOf(after) + 1 });
      const closing = rows.find(({ row }) => row === 'closing');
      const last = closing !== undefined && 'block' in closing ? closing.block : 0;
      expect(head - last).toBeLessThanOrEqual(5);
      const told = moves.map(({ block }) => block);
      const wanted = told.filter((block) => block > after + 2 && block <= last);
      expect(movesIn(rows)).toEqual(wanted);
      expect(node.counts.behind).toBeGreaterThan(0);
      expect(node.counts.refused).toBeGreaterThan(0);
    } finally {
      node.close();
    }
  });

  test('says that a transaction is absent which nobody has made', async () => {
    const node = await startHostileNode({ ...usual, seed: 5, callsMax: 1_000 });
    try {
      const hash = chain.hashOf(head + 1);
      const asked = async (): Promise<unknown> => {
        for (;;) {
          const read = (own: PublicClient) => own.getTransaction({ hash }).catch((e: Error) => e);
          const told = await readChain(node.url, read);
          if (told instanceof TransactionNotFoundError) return told.name;
        }
      };
      expect(await asked()).toBe('TransactionNotFoundError');
    } finally {
      node.close();
    }
  });

  test('tells what is there, and what is not, where a batch reaches many backends', async () => {
    const startMs = performance.now();
    const grown = () => head + Math.floor((performance.now() - startMs) / 100);
    const own = { ...usual, seed: 9, head: grown, lags: [0, 2], callsMax: 1_000 };
    const node = await startHostileNode({ ...own, spreadsBatches: true });
    try {
      const [there, nowhere] = [chain.hashOf(head), chain.hashOf(head + 1)];
      await shouldHave(node.url, head);
      const told = await persistently(node.url, (one) => one.getTransaction({ hash: there }));
      expect(told).toMatchObject({ hash: there });
      const range = { fromBlock: BigInt(head - 9), toBlock: BigInt(head) };
      expect(await persistently(node.url, (one) => one.getLogs(range))).toHaveLength(3);
      const none = (one: PublicClient) => one.getTransaction({ hash: nowhere }).catch(String);
      expect(await persistently(node.url, none)).toContain('TransactionNotFoundError');
    } finally {
      node.close();
    }
  });

  test('tells what is there, where one item of each batch is answered', async () => {
    const own = { ...usual, seed: 9, lags: [0, 2], callsMax: 1_000, answersOneItem: true };
    const node = await startHostileNode(own);
    try {
      const hash = chain.hashOf(head);
      await shouldHave(node.url, head);
      const told = await persistently(node.url, (one) => one.getTransactionReceipt({ hash }));
      expect(told).toMatchObject({ transactionHash: hash });
    } finally {
      node.close();
    }
  });

  test('names its oldest block, where the history before is pruned', async () => {
    const node = await startHostileNode({ ...usual, seed: 6, callsMax: 1_000, oldest: 17_345 });
    try {
      await expect(rowsOf(node.url)).rejects.toThrow(
        'the node has no block older than 17345 of 2026-10-01T02:24:32.000Z, and the period begins',
      );
    } finally {
      node.close();
    }
  });

  test('is read to the end, however busy it is', async () => {
    const node = await startHostileNode({ ...usual, seed: 8, callsMax: 4, lags: [0, 1] });
    try {
      const late = { ...period, fromMs: chain.timeMsOf((moves.at(-6)?.block ?? 0) - 3) };
      const rows = await rowsOf(node.url, late);
      expect(movesIn(rows).length).toBeGreaterThanOrEqual(3);
    } finally {
      node.close();
    }
  });
});
