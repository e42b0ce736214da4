import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { endMessage } from '../../../src/client/answers/end';
import { type Receiver, receiverFor } from '../../../src/client/answers/receiver';
import { startReceiver } from '../../support/service/receiver';

const key = Buffer.alloc(32, 7);
const message = endMessage('transfer:1', {
  type: 'order.completed',
  attempt: 0,
  timestamp: '2026-11-28T09:00:00.000Z',
  data: { kind: 'transferStablecoin' },
});
const answerMs = 700;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function receiverAt(url: string, { isPrivate = true, keys = [key] } = {}): Receiver {
  const receiver = receiverFor({ url: new URL(url), keys, isPrivate }, { answerMs });
  ends.push(receiver.close);
  return receiver;
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const serve = (answer: RequestListener): Promise<string> => listen(createServer(answer));

test('a message is signed as the Standard Webhooks specification says', async () => {
  const { endpoint, received, stop } = await startReceiver();
  ends.push(stop);
  expect(await receiverAt(endpoint).send(message)).toEqual({ heard: true });
  const { headers = {}, body = '' } = received[0] ?? {};
  expect(headers).toMatchObject({ 'webhook-id': message.id });
  const verify = (secret: Buffer) =>
    new Webhook(secret.toString('base64')).verify(body, headers as Record<string, string>);
  expect(verify(key)).toMatchObject({ type: 'order.completed', data: { orderId: 'transfer:1' } });
  expect(() => verify(Buffer.alloc(32, 8))).toThrow('No matching signature found');
});

test('while one secret replaces another, both sign, and either verifies', async () => {
  const { endpoint, received, stop } = await startReceiver();
  ends.push(stop);
  const next = Buffer.alloc(48, 3);
  await receiverAt(endpoint, { keys: [key, next] }).send(message);
  for (const secret of [key, next]) {
    const { body = '', headers = {} } = received[0] ?? {};
    const hook = new Webhook(secret.toString('base64'));
    expect(hook.verify(body, headers as Record<string, string>)).toBeDefined();
  }
});

test('two refusals of one order for other reasons have two ids', () => {
  const refused = (reason: string, timestamp: string) =>
    endMessage('transfer:1', { type: 'order.refused', attempt: 0, timestamp, data: { reason } }).id;
  const first = refused('to: is a contract', '2026-01-30T10:00:00Z');
  expect(refused('to: is a contract', '2026-01-31T10:00:00Z')).toBe(first);
  expect(refused('amount: is too much', '2026-01-30T10:00:00Z')).not.toBe(first);
});

test('the same end has the same id, and every other end another one', () => {
  const end = { type: 'line.paid', attempt: 0, timestamp: 't', data: { lineId: 'a' } } as const;
  const idOf = (change: object, order = 'payout:1') => endMessage(order, { ...end, ...change }).id;
  expect(idOf({ timestamp: 'later' })).toBe(idOf({}));
  const others = [
    idOf({}),
    idOf({ attempt: 1 }),
    idOf({ type: 'line.failed' }),
    idOf({ data: { lineId: 'b' } }),
    idOf({}, 'payout:2'),
  ];
  expect(new Set(others).size).toBe(others.length);
  expect(idOf({})).toMatch(/^msg_[0-9a-f]{32}$/);
});

const silent = (): void => {};
const huge = (_: unknown, response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.writeHead(200);
  response.on('drain', more);
  more();
};
const dripping: RequestListener = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 50);
  response.on('close', () => clearInterval(timer));
};

describe('a hostile receiver', () => {
  test.each([
    ['that never answers', silent, /no answer: none within/],
    ['that answers 500', status(500), /answered 500$/],
    ['that answers 410', status(410), /answered 410$/],
    ['that answers with a redirect', status(302), /answered 302$/],
    ['that hangs up', hangUp, /gave no answer/],
  ])('%s is heard as not told, in time', async (_, answer, reason) => {
    const startedMs = Date.now();
    const heard = await receiverAt(await serve(answer)).send(message);
    expect(heard).toMatchObject({ heard: false, reason: expect.stringMatching(reason) });
    expect(Date.now() - startedMs).toBeLessThan(answerMs + 2_000);
  });

  test.each([
    ['of an endless answer', huge],
    ['of an answer that never ends', dripping],
  ])('%s has heard it, and no more than a little is read', async (_, answer) => {
    let sent = 0;
    const url = await serve((request, response) => {
      const { socket } = request;
      socket.on('close', () => {
        sent = socket.bytesWritten;
      });
      answer(request, response);
    });
    const before = process.memoryUsage().rss;
    const startedMs = Date.now();
    expect(await receiverAt(url).send(message)).toEqual({ heard: true });
    expect(Date.now() - startedMs).toBeLessThan(4_000);
    await sleep(300);
    // The sockets of both sides hold some of it, and nobody reads that.
    expect(sent).toBeLessThan(20_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });

  test('that redirects has nobody else told', async () => {
    const other = await startReceiver();
    ends.push(other.stop);
    const url = await serve((_, response) => {
      response.writeHead(307, { location: other.endpoint }).end();
    });
    expect(await receiverAt(url).send(message)).toMatchObject({ heard: false, isReached: true });
    expect(other.received).toEqual([]);
  });

  test.each([
    ['of endless headers', (socket: Socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
    ['of endless hints', (socket: Socket) => flood(socket, '', 'HTTP/1.1 103 Hint\r\n\r\n')],
    ['that speaks no HTTP', (socket: Socket) => socket.write('SSH-2.0-hello\r\n')],
  ])('%s is given up in time', async (_, speak) => {
    const url = await listen(
      createSocketServer((socket) => socket.on('error', silent).once('data', () => speak(socket))),
    );
    const startedMs = Date.now();
    expect(await receiverAt(url).send(message)).toMatchObject({ heard: false, isReached: false });
    expect(Date.now() - startedMs).toBeLessThan(answerMs + 2_000);
  });

  test('whose name leads to this machine is never called, unless a setting allows it', async () => {
    const { endpoint, received, stop } = await startReceiver();
    ends.push(stop);
    const url = endpoint.replace('http://127.0.0.1', 'https://localhost');
    const heard = await receiverAt(url, { isPrivate: false }).send(message);
    const reason = expect.stringContaining('is on this machine, or in a private network');
    expect(heard).toEqual({ heard: false, isReached: false, reason });
    expect(received).toEqual([]);
    const named = endpoint.replace('127.0.0.1', 'localhost');
    expect(await receiverAt(named).send(message)).toEqual({ heard: true });
  });
});

function status(code: number): RequestListener {
  return (_, response) => response.writeHead(code, { location: '/elsewhere' }).end('{"told":1}');
}

function hangUp(request: Parameters<RequestListener>[0]): void {
  request.socket.destroy();
}

function flood(socket: Socket, first: string, more: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(more.repeat(100)), 5);
  socket.on('close', () => clearInterval(timer));
}
