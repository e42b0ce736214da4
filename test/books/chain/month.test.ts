import { join } from 'node:path';
import { openPlaces } from '../../../src/books/archive/places';
import { type BookRow, readBooks } from '../../../src/books/books';
import { booksOf } from '../../../src/books/chain/node';
import { createNode } from '../../../src/chain/node/node';
import type { Post } from '../../../src/chain/node/post';
import { type PaperCall, paperChain } from '../../support/chain/paperChain';
import { paperClock } from '../../support/chain/paperClock';
import { newFolder } from '../../support/jest/setUp';
import { eurc } from '../../support/sandbox';

const wallets = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const;
const other = `0x${'c3'.repeat(20)}` as const;
const monthBlocks = 5_000_000;
const first = 4_000_000;
const moves = Array.from({ length: 20 }, (_, at) => ({
  block: first + 1 + at * 240_000,
  from: at % 2 === 0 ? other : wallets[0],
  to: at % 4 === 0 ? wallets[1] : at % 2 === 0 ? wallets[0] : other,
  units: at % 2 === 0 ? 900n : 100n,
}));
const chain = paperChain({ token: eurc, moves });
const period = {
  fromMs: chain.timeMsOf(first),
  untilMs: chain.timeMsOf(first + monthBlocks),
};
const spanMax = 10_000;
const [perSecond, latencyMs] = [2, 120];

/** A node that takes two calls a second, and logs of 10,000 blocks. It counts calls on paper. */
function slowNode(clock: ReturnType<typeof paperClock>, head: number) {
  const counts = { calls: 0, refused: 0 };
  let taken: number[] = [];
  const pass = ({ method, params }: PaperCall) => {
    const now = clock.now();
    taken = taken.filter((atMs) => now - atMs < 1_000);
    if (taken.length >= perSecond) {
      counts.refused += 1;
      return { error: { code: -32_011, message: 'request limit reached' } };
    }
    taken.push(now);
    counts.calls += 1;
    const [filter] = params as { fromBlock: string; toBlock: string }[];
    const isWide = Number(filter?.toBlock) - Number(filter?.fromBlock) >= spanMax;
    if (method === 'eth_getLogs' && isWide) {
      return { error: { code: -32_012, message: 'block range exceeds 10000' } };
    }
    return chain.answer({ method, params }, head);
  };
  const post: Post = async (body) => {
    await clock.sleep(latencyMs);
    const all = [body].flat() as (PaperCall & { id: number })[];
    const answers = all.map((call) => ({ id: call.id, ...pass(call) }));
    if (Array.isArray(body)) return { status: 200, body: answers };
    const [only] = answers;
    const isBusy = only !== undefined && 'error' in only && only.error.code === -32_011;
    return { status: isBusy ? 429 : 200, body: only };
  };
  return { post, counts };
}

const folder = newFolder();

/** Reads the month in a process of its own. It may end at a number of calls. */
async function readMonth(store: string | undefined, killAfter = Number.POSITIVE_INFINITY) {
  const clock = paperClock();
  const { post, counts } = slowNode(clock, first + monthBlocks + 5_000);
  const mortal: Post = async (body) => {
    if (counts.calls >= killAfter) throw new Error('killed');
    return post(body);
  };
  const node = createNode({ post: mortal, origin: 'http://slow', clock });
  const places = openPlaces(store, { url: 'http://slow', fromMs: period.fromMs });
  const rows: BookRow[] = [];
  const asked = { node: booksOf(node, places), blockchain: 'ARC-TESTNET', wallets, period };
  const reading = async (): Promise<void> => {
    for await (const row of readBooks(asked)) rows.push(row);
  };
  // A kill is no answer of the node.
  const killed = () => Promise.reject(new Error('killed'));
  await places.during(() => reading().catch(killed)).catch(() => undefined);
  return { rows, ...counts, seconds: clock.now() / 1_000, pace: node.pace.perSecond() };
}

const movesIn = (rows: readonly BookRow[]) =>
  rows.flatMap((row) => (row.row === 'movement' ? [row.movement.block] : []));

test('a month of blocks takes ten minutes on a node of two calls a second', async () => {
  const { rows, calls, refused, seconds, pace } = await readMonth(undefined);
  expect(movesIn(rows)).toEqual(moves.map(({ block }) => block));
  expect(rows.filter(({ row }) => row === 'closing')).not.toEqual([]);
  expect(refused).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(1_200);
  expect(pace).toBeLessThanOrEqual(perSecond);
  expect(seconds).toBeLessThanOrEqual(600);
}, 60_000);

test('a month that was killed in the middle goes on, and asks for nothing twice', async () => {
  const store = `file:${join(folder, 'store')}`;
  const whole = await readMonth(undefined);
  const killed = await readMonth(store, Math.floor(whole.calls / 2));
  expect(movesIn(killed.rows).length).toBeLessThan(moves.length);
  const rest = await readMonth(store);
  expect(rest.seconds).toBeLessThan(whole.seconds * 0.6);
  expect(rest.rows).toEqual(whole.rows);
  expect(killed.calls + rest.calls).toBeLessThan(whole.calls * 1.1);
}, 60_000);
