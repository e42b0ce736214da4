import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { refId } from '../../src/custody/reference';
import { receiversOf } from '../../src/notices/receivers';
import { createServe, type Orders } from '../support/orders';
import { scriptedCustody, transferOrder, transferRecord } from '../support/service/scriptedCustody';
import { type Hook, noticeOf, startHook } from './hook';

const serve = createServe();
const id = `transfer:${randomUUID()}`;
let state = 'PENDING';
let orders: Orders;
let hook: Hook;
let own: { id: string; refId: string };

beforeAll(async () => {
  const custody = scriptedCustody({
    getTransaction: () => ({ transaction: transferRecord({ state }) }),
  });
  orders = await serve(custody);
  hook = await startHook(receiversOf(orders.client));
  await orders.steadfast.start('transferStablecoin', id, transferOrder);
  await orders.progress(id, ({ status }) => status === 'Settling');
  const [sent] = custody.calls('createTransfer');
  own = { id: transferRecord().id, refId: String(sent?.input.refId) };
});
afterAll(() => hook.stop());

async function signals(): Promise<number> {
  const { events } = await orders.client.workflow.getHandle(id).fetchHistory();
  return (events ?? []).filter((one) => one.workflowExecutionSignaledEventAttributes).length;
}

const json = { 'content-type': 'application/json' };
const other = (workflowId: string) =>
  refId({ workflowId, step: 'transfer', item: '0', generation: 0 });
const head = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
const large = 'x'.repeat(70_000);

type Row = [attack: string, outcome: string, status: number, send: () => Promise<number>];
const rows: Row[] = [
  ['without a signature', 'forged', 401, () => hook.post(noticeOf(own), json)],
  [
    'with the signature of another body',
    'forged',
    401,
    () => hook.post(noticeOf(own), hook.signed(noticeOf(own))),
  ],
  [
    'with a signature that is no base64',
    'forged',
    401,
    () => hook.post('{}', { ...hook.signed('{}'), 'x-circle-signature': '%'.repeat(96) }),
  ],
  [
    'that is truncated',
    'forged',
    401,
    () => {
      const body = noticeOf(own);
      return hook.post(body.slice(0, -10), hook.signed(body));
    },
  ],
  [
    'with a key that the service does not know',
    'unknownKey',
    401,
    () => hook.post('{}', { ...hook.signed('{}'), 'x-circle-key-id': randomUUID() }),
  ],
  [
    'with a key id that is a path',
    'unknownKey',
    401,
    () => hook.post('{}', { ...hook.signed('{}'), 'x-circle-key-id': '../../wallets' }),
  ],
  ['that is a giant', 'tooLarge', 413, () => hook.post(large, hook.signed(large))],
  [
    'that is a gzip bomb',
    'notJson',
    415,
    async () => {
      const headers = { ...hook.signed('{}'), 'content-encoding': 'gzip' };
      const body = gzipSync(Buffer.alloc(10_000_000)).subarray(0, 60_000);
      const answer = await fetch(hook.url, { method: 'POST', body, headers });
      return answer.status;
    },
  ],
  [
    'of another content type',
    'notJson',
    415,
    () => hook.post(noticeOf(own), { ...hook.signed('{}'), 'content-type': 'text/plain' }),
  ],
  [
    'that is signed and no notice',
    'other',
    200,
    () => hook.post('[[[[1]]]]', hook.signed('[[[[1]]]]')),
  ],
];

const genuine: [notice: string, outcome: string, body: () => string][] = [
  ['for an order that was forgotten', 'over', () => noticeOf({ refId: other('transfer:gone') })],
  ['of another system', 'foreign', () => noticeOf({ refId: 'invoice 12' })],
  [
    'with a reference whose hash is wrong',
    'foreign',
    () => noticeOf({ refId: own.refId.replace(id, 'transfer:another') }),
  ],
  [
    'that is old',
    'old',
    () => noticeOf(own, { timestamp: new Date(Date.now() - 7_200_000).toISOString() }),
  ],
  ['without a time', 'old', () => noticeOf(own, { timestamp: 'yesterday' })],
  ['that overtook the last one', 'notFinal', () => noticeOf({ ...own, state: 'SENT' })],
  ['with a state of tomorrow', 'notFinal', () => noticeOf({ ...own, state: 'TELEPORTED' })],
  [
    'that is a test',
    'other',
    () => noticeOf({ hello: 'world' }, { notificationType: 'webhooks.test' }),
  ],
];

describe('the receiver', () => {
  // The first key that it looks up. Later attacks bring others.
  beforeAll(() => hook.post('{}', hook.signed('{}')));

  test.each(rows)('refuses a notice %s', async (_, outcome, status, send) => {
    const before = await signals();
    // An unknown id waits for its turn, and is looked up.
    let answered = await send();
    for (let tries = 0; answered === 503 && tries < 100; tries++) answered = await send();
    expect(answered).toBe(status);
    expect(hook.outcomes.at(-1)).toBe(outcome);
    expect(await signals()).toBe(before);
  });

  test('refuses a giant that does not say its length', async () => {
    const came = await hook.raw(
      `${head}transfer-encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n`,
    );
    expect(came).toMatch(/^HTTP\/1.1 413 |^$/);
    expect(hook.outcomes.at(-1)).toBe('tooLarge');
  });

  test('refuses headers that are giants', async () => {
    expect(await hook.raw(`POST / HTTP/1.1\r\nhost: a\r\nx: ${large}\r\n\r\n`)).toMatch(/ 431 /);
  });

  test('ends requests that never end, of headers and of bodies', async () => {
    const [headers, body] = await Promise.all([
      hook.raw(head),
      hook.raw(`${head}content-length: 100\r\n\r\n{`),
    ]);
    expect(headers).toMatch(/ 408 /);
    expect(body).toMatch(/ 408 |^$/);
  });

  test('answers a true notice while slow connections by the hundred are open', async () => {
    const slow: Socket[] = Array.from({ length: 700 }, () => {
      const socket = connect(hook.port, '127.0.0.1', () => socket.write('POST / HTTP/1.1\r\n'));
      return socket.on('error', () => {});
    });
    const body = noticeOf({ refId: other('transfer:gone') });
    expect(await hook.post(body, hook.signed(body))).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  test('keeps a connection that has brought a true notice, however many strangers come', async () => {
    const open = connect(hook.port, '127.0.0.1');
    const send = async (): Promise<string> => {
      const body = noticeOf({ refId: other('transfer:gone') });
      const headers = { host: 'a', ...hook.signed(body), 'content-length': String(body.length) };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      open.write(`POST / HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      const [answer] = await once(open, 'data');
      return String(answer);
    };
    expect(await send()).toMatch(/ 200 /);
    const strangers: Socket[] = [];
    for (let round = 0; round < 700; round++) {
      const socket = connect(hook.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      strangers.push(socket);
    }
    expect(await send()).toMatch(/ 200 /);
    for (const socket of [open, ...strangers]) socket.destroy();
  });

  test('drops a connection that does not wait for its answers', async () => {
    const one = `${head}content-length: 2\r\n\r\n{}`;
    const came = await hook.raw(`${one}${one}${one}`);
    expect(came.match(/HTTP\/1.1/g)?.length ?? 0).toBeLessThan(3);
  });

  test('asks the service for few of thousands of key ids', async () => {
    const before = hook.asked.length;
    const startedMs = Date.now();
    for (let round = 0; round < 10; round++) {
      const forged = Array.from({ length: 100 }, () =>
        hook.post('{}', { ...hook.signed('{}'), 'x-circle-key-id': randomUUID() }),
      );
      const statuses = await Promise.all(forged);
      expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([]);
    }
    // One each 50 ms here, and the first at once.
    const most = 2 + (Date.now() - startedMs) / 50;
    expect(hook.asked.length - before).toBeLessThanOrEqual(most);
  });

  test.each(genuine)('answers a genuine notice %s, and wakes nobody', async (_, outcome, body) => {
    const before = await signals();
    const told = body();
    expect(await hook.post(told, hook.signed(told))).toBe(200);
    expect(hook.outcomes.at(-1)).toBe(outcome);
    expect(await signals()).toBe(before);
  });

  test('answers HEAD, and no other method', async () => {
    const head = await fetch(hook.url, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Date.parse(head.headers.get('last-notice') ?? '')).toBeGreaterThan(0);
    expect((await fetch(hook.url)).status).toBe(405);
  });
});

describe('an order', () => {
  test('that a notice calls complete reads its record, and settles on', async () => {
    const before = await signals();
    const body = noticeOf(own);
    expect(await hook.post(body, hook.signed(body))).toBe(200);
    expect(await signals()).toBe(before + 1);
    const { status } = await orders.progress(id, () => true);
    expect(status).toBe('Settling');
  });

  test('is woken once by a replayed notice, and by all notices of one transaction', async () => {
    const before = await signals();
    const body = noticeOf({ ...own, id: randomUUID() });
    const headers = hook.signed(body);
    const again = noticeOf({ ...own, id: JSON.parse(body).notification.id });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => hook.post(body, headers)),
      hook.post(again, hook.signed(again)),
    ]);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await signals()).toBe(before + 1);
  });

  test('is woken once by a notice that comes again after the receiver was killed', async () => {
    // The first receiver has signalled, and its answer got lost. The second one knows nothing.
    const second = await startHook(receiversOf(orders.client));
    const before = await signals();
    const body = noticeOf({ ...own, id: randomUUID() });
    expect(await hook.post(body, hook.signed(body))).toBe(200);
    let answered = await second.post(body, second.signed(body));
    for (let tries = 0; answered === 503 && tries < 100; tries++) {
      answered = await second.post(body, second.signed(body));
    }
    expect(answered).toBe(200);
    expect(await signals()).toBe(before + 1);
    await second.stop();
  });

  test('is woken once a second at most', async () => {
    const before = await signals();
    const bodies = Array.from({ length: 40 }, () => noticeOf({ ...own, id: randomUUID() }));
    const answers = await Promise.all(bodies.map((body) => hook.post(body, hook.signed(body))));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect((await signals()) - before).toBeLessThanOrEqual(2);
  });

  test('ends as its record says, and later notices find it over', async () => {
    state = 'FAILED';
    const body = noticeOf({ ...own, id: randomUUID(), state: 'COMPLETE' });
    await hook.post(body, hook.signed(body));
    await expect(orders.client.workflow.getHandle(id).result()).rejects.toThrow();
    const { status } = await orders.progress(id, () => true);
    expect(status).toBe('Failed');
    const late = noticeOf({ ...own, id: randomUUID() });
    expect(await hook.post(late, hook.signed(late))).toBe(200);
    expect(hook.outcomes.at(-1)).toBe('over');
  });
});

test('the last notice has the time of the service, so that a replayed one renews nothing', async () => {
  const nobody = async () => 'over' as const;
  const lone = await startHook({ wakeOrder: nobody, wakePayout: nobody, wakeWaiting: nobody });
  const lastAfter = async (timestamp: string): Promise<string | null> => {
    const body = noticeOf({ state: 'SENT' }, { timestamp });
    expect(await lone.post(body, lone.signed(body))).toBe(200);
    return (await fetch(lone.url, { method: 'HEAD' })).headers.get('last-notice');
  };
  const [old, newer] = ['2026-01-31T10:00:00.000Z', '2026-01-31T11:00:00.000Z'];
  expect(await lastAfter('yesterday')).toBeNull();
  expect(await lastAfter(old)).toBe(old);
  expect(await lastAfter(newer)).toBe(newer);
  expect(await lastAfter(old)).toBe(newer);
  const before = Date.now();
  const capped = Date.parse((await lastAfter('2999-01-01T00:00:00Z')) ?? '');
  expect(capped).toBeGreaterThanOrEqual(before);
  expect(capped).toBeLessThanOrEqual(Date.now());
  expect(lone.lasts).toEqual([undefined, ...[old, newer, newer].map(Date.parse), capped]);
  await lone.stop();
});

test('a notice that Temporal does not get is refused, so that the service repeats it', async () => {
  const away = async (): Promise<never> => {
    throw new Error('Temporal is away.');
  };
  const lone = await startHook({ wakeOrder: away, wakePayout: away, wakeWaiting: away });
  const body = noticeOf(own);
  expect(await lone.post(body, lone.signed(body))).toBe(503);
  expect(await lone.post(body, lone.signed(body))).toBe(503);
  expect(lone.outcomes).toEqual(['notHandedOn', 'notHandedOn']);
  await lone.stop();
});
