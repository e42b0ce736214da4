import { erc20Abi } from 'viem';
import { UnansweredError } from '../../../src/chain/node/calling';
import { createNode } from '../../../src/chain/node/node';
import type { Posted } from '../../../src/chain/node/post';
import { clientOf } from '../../../src/chain/readChain';
import { networks, usualNetwork } from '../../../src/custody/networks/networks';
import { paperClock } from '../../support/chain/paperClock';

const address = `0x${'a1'.repeat(20)}` as const;
const other = `0x${'b2'.repeat(20)}` as const;
const latencyMs = 100;
/** The public node, with one request at a time. */
const [origin = ''] = networks[usualNetwork].publicNode.urls;

type Call = { id: number; method: string };

/** A node that answers each request as it is told to. It keeps the methods of each request. */
function nodeThat(answer: (calls: readonly Call[], request: number) => Partial<Posted>) {
  const clock = paperClock();
  const requests: string[][] = [];
  const post = async (body: unknown): Promise<Posted> => {
    const calls = [body].flat() as Call[];
    requests.push(calls.map(({ method }) => method));
    const posted = { status: 200, body: undefined, ...answer(calls, requests.length) };
    await clock.sleep(latencyMs);
    return posted;
  };
  const node = createNode({ post, origin, clock });
  return { node, clock, requests };
}

const usual = { patienceMs: 60_000, triesAway: 0 };

test.each([
  [3, 'execution reverted: rate limit exceeded'],
  [-32_000, 'execution reverted: capacity exceeded'],
  [3, 'header not found'],
  [-32_015, 'Reverted: too many requests'],
])('the words of a contract slow nobody down: %i, %s', async (code, message) => {
  const { node, clock, requests } = nodeThat(([call]) => ({
    body: { id: call?.id, error: { code, message } },
  }));
  const client = clientOf(node, usual);
  const asked = client.readContract({ address, abi: erc20Abi, functionName: 'decimals' });
  await expect(asked).rejects.toThrow(message.replace('execution reverted: ', ''));
  await expect(client.estimateGas({ account: other, to: address })).rejects.toThrow();
  expect(requests).toEqual([['eth_call'], ['eth_estimateGas']]);
  expect(clock.now()).toBeLessThan(1_000);
});

describe('a node that answers a batch with one object', () => {
  const read = (body: object) => {
    const client = clientOf(nodeThat(() => ({ body })).node, usual);
    const asked = [address, other].map((one) => client.getBalance({ address: one }));
    return Promise.allSettled(asked);
  };

  test.each([0, 1])('has answered call %i alone, if that is a result', async (id) => {
    const told = await read({ id, result: '0x64' });
    expect(told[id]).toEqual({ status: 'fulfilled', value: 100n });
    expect(told[1 - id]).toMatchObject({
      status: 'rejected',
      reason: { name: 'HttpRequestError' },
    });
  });

  test('has answered no call, if the result names none', async () => {
    for (const { status } of await read({ id: null, result: '0x64' }))
      expect(status).toBe('rejected');
  });

  test.each([null, 0])('has refused all calls, if that is an error (id %j)', async (id) => {
    for (const one of await read({ id, error: { code: -32_600, message: 'no batches' } }))
      expect(one).toMatchObject({ reason: { details: 'no batches' } });
  });
});

describe('a node that wants to be left alone for a minute', () => {
  const resting = () =>
    nodeThat((calls, request) =>
      request === 1
        ? { status: 429, retryAfterMs: 60_000 }
        : { body: calls.map(({ id }) => ({ id, result: '0x7' }))[0] },
    );
  const patiently = { ...usual, patienceMs: 61_000 };
  const gasPrice = { method: 'eth_gasPrice', params: [] };
  const balance = { method: 'eth_getBalance', params: [address, 'latest'] };

  test.each([
    ['before', 0],
    ['after', 1_000],
  ])('is not asked by a hurried reader that comes %s its refusal', async (_, comesMs) => {
    const { node, clock, requests } = resting();
    const patient = node.request(gasPrice, patiently);
    await clock.sleep(comesMs === 0 ? latencyMs / 2 : comesMs);
    const untilMs = clock.now() + 8_000;
    const hurried = node.request(balance, { ...usual, untilMs });
    await expect(hurried).rejects.toThrow(UnansweredError);
    expect(clock.now()).toBeLessThanOrEqual(untilMs);
    expect(await patient).toBe('0x7');
    expect(clock.now()).toBeGreaterThan(60_000);
    expect(requests).toEqual([['eth_gasPrice'], ['eth_gasPrice']]);
  });

  test('is not asked again by a reader whose patience is shorter', async () => {
    const { node, clock, requests } = resting();
    const asked = node.request(gasPrice, { ...usual, patienceMs: 20_000 });
    await expect(asked).rejects.toThrow(
      'it is busy, and refused try 1 of this call as one too many',
    );
    expect(clock.now()).toBeLessThanOrEqual(20_000);
    expect(requests).toHaveLength(1);
  });
});

test('a queue lets go of calls whose time is over, however many are before them', async () => {
  const { node, clock, requests } = nodeThat((calls) => ({
    body: calls.map(({ id }) => ({ id, result: '0x7' })),
  }));
  const call = { method: 'eth_gasPrice', params: [] };
  const [calls, untilMs] = [40, 8_000];
  const told = await Promise.allSettled(
    Array.from({ length: calls }, () => node.request(call, { ...usual, untilMs })),
  );
  const late = told.filter(({ status }) => status === 'rejected').length;
  expect(late).toBeGreaterThan(0);
  expect(requests.flat()).toHaveLength(calls - late);
  expect(clock.now()).toBeLessThanOrEqual(untilMs + 1_000);
});
