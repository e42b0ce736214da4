import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import type { OrderStatus } from '../../../src/client/orderStatus';
import { livePages } from '../../../src/console/page/live';

const looked: string[] = [];
let order: Partial<OrderStatus> = { execution: 'RUNNING' };
const gone = new Set<string>();
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
    const { id } = request.params as { id: string };
    const { person = 'ann' } = request.query as { person?: string };
    live.listen(id, reply, { person, isIn: () => !gone.has(person) });
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(() => {
  looked.length = 0;
});

/** Opens a page, and returns what it has heard so far and how to close it. */
async function openPage(id: string, person = 'ann') {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/live/${id}?person=${person}`, { signal: leaving.signal });
  const heard = { text: '', status: answer.status, isOver: false };
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) heard.text += Buffer.from(chunk).toString();
    heard.isOver = true;
  })().catch(() => {});
  const close = async (): Promise<void> => {
    leaving.abort();
    await reading;
  };
  return { heard, close };
}

test('fifty pages of one order have Temporal asked once in two seconds, and none has it asked no more', async () => {
  const pages = await Promise.all(
    Array.from({ length: 50 }, (_, at) => openPage('payout:march', `person-${at % 5}`)),
  );
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

test('the page of somebody who is out hears nothing more, and others go on', async () => {
  order = { execution: 'RUNNING' };
  const [own, other] = [await openPage('transfer:a', 'ann'), await openPage('transfer:a', 'bo')];
  await sleep(500);
  gone.add('ann');
  order = { execution: 'RUNNING', lastStatus: 'Settling' };
  await sleep(2_500);
  gone.clear();
  expect(own.heard.isOver).toBe(true);
  expect(own.heard.text).not.toContain('Settling');
  expect(other.heard.isOver).toBe(false);
  expect(other.heard.text).toContain('Settling');
  await Promise.all([own.close(), other.close()]);
});

test('one person has twenty pages that listen at most, and leaves room to others', async () => {
  const pages = await Promise.all(
    Array.from({ length: 20 }, (_, at) => openPage(`transfer:${at}`, 'ann')),
  );
  expect(pages.map(({ heard }) => heard.status)).toEqual(pages.map(() => 200));
  const more = await openPage('transfer:20', 'ann');
  const other = await openPage('transfer:20', 'bo');
  expect([more.heard.status, other.heard.status]).toEqual([429, 200]);
  await Promise.all([...pages, more, other].map(({ close }) => close()));
});

test('texts are told as the page shows them: hidden characters by their numbers', async () => {
  order = { execution: 'FAILED', error: 'pay\u202eeno' };
  const { heard, close } = await openPage('transfer:hidden', 'cy');
  await sleep(500);
  expect(heard.text).toContain('pay\\\\u202eeno');
  await close();
});
