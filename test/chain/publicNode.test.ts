import { createNode } from '../../src/chain/node/node';
import type { Post } from '../../src/chain/node/post';
import { publicLimits } from '../../src/chain/publicNode';
import { networks } from '../../src/custody/networks/networks';
import { paperClock } from '../support/chain/paperClock';

const [callsPerSecond, logBlocks, latencyMs] = [2, 10_000, 120];
const calls = Array.from({ length: 16 }, () => ({ method: 'eth_gasPrice', params: [] }));
const how = { patienceMs: 60_000, triesAway: 0 };

/** A node that takes two calls a second. It counts what it refuses, on paper. */
function slowNode(origin: string) {
  const clock = paperClock();
  const seen = { refused: 0 };
  let taken: number[] = [];
  const answerTo = ({ id }: { id: number }) => {
    taken = taken.filter((atMs) => clock.now() - atMs < 1_000);
    if (taken.length >= callsPerSecond) {
      seen.refused += 1;
      return { id, error: { code: -32_011, message: 'request limit reached' } };
    }
    taken.push(clock.now());
    return { id, result: '0x7' };
  };
  const post: Post = async (body) => {
    await clock.sleep(latencyMs);
    const answers = ([body].flat() as { id: number }[]).map(answerTo);
    return { status: 200, body: Array.isArray(body) ? answers : answers[0] };
  };
  return { seen, clock, node: createNode({ post, origin, clock }) };
}

const publicOrigins = Object.values(networks).flatMap(({ publicNode }) => publicNode.urls);

test.each(publicOrigins)('%s is asked no faster than it is known to take', async (origin) => {
  const { seen, clock, node } = slowNode(origin);
  await Promise.all(calls.map((call) => node.request(call, how)));
  expect(seen.refused).toBe(0);
  expect(clock.now()).toBeLessThan(10_000);
});

test('a node that nobody knows has to teach its pace by refusals', async () => {
  const { seen, node } = slowNode('https://node.example');
  await Promise.all(calls.map((call) => node.request(call, how)));
  expect(seen.refused).toBeGreaterThan(0);
});

test('a known node is asked for the logs of as many blocks as it takes', () => {
  const { node } = slowNode(publicOrigins[0] ?? '');
  expect(node.span.blocks()).toBe(logBlocks);
  expect(publicLimits(new URL('https://rpc.mainnet.arc.io/').origin)).toMatchObject({ logBlocks });
  expect(publicLimits('https://rpc.mainnet.arc.io.example')).toBeUndefined();
});
