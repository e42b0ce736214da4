import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import type { OrderStatus } from '../../../src/client/orderStatus';
import { livePages } from '../../../src/console/page/live';

const looked: string[] = [];
let order: Partial<OrderStatus> = { execution: 'RUNNING' };
let server: FastifyInstance;
let url: string;

beforeAll(async () => {
  const live = livePages({
    status: async (id) => {
      looked.push(id);
      return order as OrderStatus;
    },
  });
  server = fastify({ forceCloseConnections: true });
  server.get('/live/:id', (request, reply) => {
    live.listen((request.params as { id: string }).id, reply);
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(() => {
  looked.length = 0;
});

/** Opens a page, and returns what it has heard so far and how to close it. */
async function openPage(id: string) {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/live/${id}`, { signal: leaving.signal });
  const heard = { text: '' };
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) heard.text += Buffer.from(chunk).toString();
  })().catch(() => {});
  const close = async (): Promise<void> => {
    leaving.abort();
    await reading;
  };
  return { heard, close };
}

test('fifty pages of one order have Temporal asked once in two seconds, and none has it asked no more', async () => {
  const pages = await Promise.all(Array.from({ length: 50 }, () => openPage('payout:march')));
  await sleep(4_500);
  expect(looked.length).toBeGreaterThanOrEqual(2);
  expect(looked.length).toBeLessThanOrEqual(3);
  expect(pages.every(({ heard }) => heard.text.includes('"status":"RUNNING"'))).toBe(true);
  await Promise.all(pages.map(({ close }) => close()));
  await sleep(2_500);
  const before = looked.length;
  await sleep(2_500);
  expect(looked.length).toBe(before);
});

test('a page hears each change, and the end', async () => {
  const { heard, close } = await openPage('transfer:invoice-1');
  await sleep(500);
  order = { execution: 'COMPLETED', lastStatus: 'Done' };
  await sleep(2_500);
  expect(heard.text).toContain('"status":"Done","waitingFor":"","isOver":true');
  await close();
});
