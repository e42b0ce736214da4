import { type Hex, keccak256, type PublicClient, TransactionNotFoundError, toHex } from 'viem';
import { blockNumberCall } from '../../../src/chain/node/calling';
import { createHeads } from '../../../src/chain/node/heads';
import { createNode } from '../../../src/chain/node/node';
import type { Post } from '../../../src/chain/node/post';
import { clientOf } from '../../../src/chain/readChain';
import { networks, usualNetwork } from '../../../src/custody/networks/networks';
import { type PaperAnswer, type PaperCall, paperChain } from '../../support/chain/paperChain';
import { paperClock } from '../../support/chain/paperClock';
import { eurc } from '../../support/sandbox';
import { seeded } from '../../support/seeded';

const wallet = `0x${'a1'.repeat(20)}` as const;
const other = `0x${'c3'.repeat(20)}` as const;
const contract = `0x${'d4'.repeat(20)}` as const;
const start = 30_000;
const blocks = [start - 3, start - 1, start];
const moves = blocks.map((block) => ({ block, from: other, to: wallet, units: 100n }));
const chain = paperChain({ token: eurc, moves });
const [blockMs, latencyMs] = [500, 40];
const [publicOrigin = ''] = networks[usualNetwork].publicNode.urls;
const busy = { error: { code: -32_011, message: 'request limit reached' } };

type Mode = {
  /** The public node, which takes two calls a second. Its heads have agreed for long. */
  isSlow?: boolean;
  answersOneItem?: boolean;
  spreadsBatches?: boolean;
  lags?: readonly number[];
};

/** The node of a chain that goes on, on paper. Its backends lag behind each other. */
function laggingNode(seed: number, { lags = [0, 2, 5], ...mode }: Mode) {
  const [clock, random] = [paperClock(), seeded(seed)];
  // The first call comes at any time of a block.
  const aheadMs = random(blockMs);
  const lagOf = (): number => lags[random(lags.length)] ?? 0;
  const newest = (): number => start + Math.floor((clock.now() + aheadMs) / blockMs);
  const answer = (call: PaperCall, head: number): PaperAnswer => {
    // A contract of the newest block at the start.
    if (call.method === 'eth_getCode') return { result: head < start ? '0x' : '0xfe' };
    return chain.answer(call, head);
  };
  const post: Post = async (body) => {
    const items = [body].flat() as (PaperCall & { id: number })[];
    const [lag, chosen] = [lagOf(), random(items.length)];
    const answers = [];
    for (const [at, one] of items.entries()) {
      // A block may come between two items.
      await clock.sleep(latencyMs);
      const head = newest() - (mode.spreadsBatches ? lagOf() : lag);
      const isBusy = mode.answersOneItem && at !== chosen;
      answers.push({ id: one.id, ...(isBusy ? busy : answer(one, head)) });
    }
    return { status: 200, body: Array.isArray(body) ? answers : answers[0] };
  };
  const origin = mode.isSlow ? publicOrigin : 'http://lagging';
  const node = createNode({ post, origin, clock });
  for (let seen = mode.isSlow ? 32 : 0; seen > 0; seen -= 1)
    node.heads.note(blockNumberCall, start - 9);
  return { node, clock, client: clientOf(node, { patienceMs: 60_000, triesAway: 3 }) };
}

const seeds = Array.from({ length: 200 }, (_, at) => at + 1);

/** Counts each answer over all seeds. */
async function countTold(
  mode: Mode,
  read: (client: PublicClient) => Promise<unknown>,
): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  for (const seed of seeds) {
    const { node, client } = laggingNode(seed, mode);
    await client.getBlockNumber();
    // As a record of the service does, which names its block.
    node.heads.claimed(start);
    const words = await read(client).then(String, (error: Error) => error.name);
    told[words] = (told[words] ?? 0) + 1;
  }
  return told;
}

describe.each<[string, Mode]>([
  ['one backend for each request', {}],
  ['an answer to one item of each batch', { answersOneItem: true }],
  ['items of a batch for many backends', { spreadsBatches: true }],
  ['two calls a second', { isSlow: true }],
  ['two calls a second, for many backends', { isSlow: true, spreadsBatches: true }],
  ['two calls a second, one of them answered', { isSlow: true, answersOneItem: true }],
])('a node whose backends lag, with %s', (_name, mode) => {
  const all = { true: seeds.length };

  test.each(blocks)('tells a transaction of its newest blocks: %i', async (block) => {
    const hash = chain.hashOf(block);
    const read = async (client: PublicClient) =>
      (await client.getTransactionReceipt({ hash })).transactionHash === hash;
    expect(await countTold(mode, read)).toEqual(all);
  });

  test('tells the logs of its newest blocks', async () => {
    const range = { fromBlock: BigInt(start - 9), toBlock: BigInt(start) };
    const read = async (client: PublicClient) => (await client.getLogs(range)).length === 3;
    expect(await countTold(mode, read)).toEqual(all);
  });

  test('tells the code of a contract that is new', async () => {
    const read = async (client: PublicClient) =>
      (await client.getCode({ address: contract })) === '0xfe';
    expect(await countTold(mode, read)).toEqual(all);
  });

  test('calls absent what nobody has made, within seconds', async () => {
    const hash: Hex = keccak256(toHex('nobody'));
    for (const seed of seeds.slice(0, 20)) {
      const { client, clock } = laggingNode(seed, mode);
      const read = client.getTransaction({ hash });
      await expect(read).rejects.toThrow(TransactionNotFoundError);
      expect(clock.now()).toBeLessThan(30_000);
    }
  });
});

test('a height that somebody claims buries no block, so that its logs are witnessed', async () => {
  const { node, client } = laggingNode(1, { lags: [0, 5] });
  const range = { fromBlock: BigInt(start - 9), toBlock: BigInt(start) };
  await client.getBlockNumber();
  node.heads.claimed(start + 2_000);
  for (let read = 0; read < 20; read += 1) expect(await client.getLogs(range)).toHaveLength(3);
  node.heads.claimed(start + 4_000);
  expect(node.heads.newest()).toBeLessThan(start + 2_100);
});

test('a height that was claimed in vain holds up no reading again', async () => {
  const clock = paperClock();
  const heads = createHeads(clock);
  const look = (): void => heads.note({ method: 'eth_blockNumber', params: [] }, '0x64');
  look();
  heads.claimed(105);
  expect(heads.newest()).toBe(105n);
  look();
  await clock.sleep(31_000);
  look();
  expect(heads.newest()).toBe(100n);
  heads.claimed(105);
  expect(heads.newest()).toBe(100n);
  heads.claimed(106);
  expect(heads.newest()).toBe(106n);
});
