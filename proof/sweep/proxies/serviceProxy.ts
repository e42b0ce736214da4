import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { endpoints } from '../../../src/custody/endpoints';
import { orderNames } from '../orderName';
import { type Doorway, listenAgain } from './doorway';
import type { Gate, Pass } from './gate';

/** Headers that belong to one connection, or that the proxy sets itself. */
const notPassedOn = ['host', 'connection', 'transfer-encoding', 'content-length', 'x-order'];

/** Starts a proxy between worker and sandbox. It takes every call of an order past the gate. */
export async function startServiceProxy(origin: string, gate: Gate): Promise<Doorway> {
  const server = createServer((incoming, response) => {
    passOn({ origin, gate, incoming, response }).catch(() => response.destroy());
  });
  return listenAgain(server, () => server.closeAllConnections());
}

type Exchange = {
  origin: string;
  gate: Gate;
  incoming: IncomingMessage;
  response: ServerResponse;
};

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer };

async function passOn({ origin, gate, incoming, response }: Exchange): Promise<void> {
  const body = Buffer.concat(await incoming.toArray());
  const [order] = orderNames(String(incoming.headers['x-order'] ?? ''));
  const name = callName(incoming.method ?? 'GET', incoming.url ?? '/', body);
  const pass: Pass =
    order === undefined
      ? async () => true
      : gate.meet({ order, name, ends: ['worker', 'sandbox'] });
  if (!(await pass('before')) || response.destroyed) return void response.destroy();
  const answer = await ask(origin, { incoming, body, response });
  if (!(await pass('between')) || response.destroyed) return void response.destroy();
  await pass('after');
  response.writeHead(answer.status, without(answer.headers)).end(answer.body);
}

function ask(
  origin: string,
  { incoming, body, response }: Pick<Exchange, 'incoming' | 'response'> & { body: Buffer },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, headers } = incoming;
    const asked = request(origin + incoming.url, {
      ...(method === undefined ? {} : { method }),
      headers: {
        ...without(headers),
        ...(body.length > 0 ? { 'content-length': body.length } : {}),
      },
      agent: false,
    });
    // The caller is gone, so nobody waits for the answer.
    response.once('close', () => asked.destroy());
    asked.once('error', reject);
    asked.once('response', (answer) => {
      answer.toArray().then((chunks) => {
        const { statusCode: status = 502, headers } = answer;
        resolve({ status, headers, body: Buffer.concat(chunks) });
      }, reject);
    });
    asked.end(body);
  });
}

function without(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const kept = Object.entries(headers).filter(([name]) => !notPassedOn.includes(name));
  return Object.fromEntries(kept);
}

const patterns = Object.entries(endpoints).map(([name, { method, path }]) => ({
  name,
  method,
  fixed: path.split('/').filter((part) => !part.startsWith(':')).length,
  path: new RegExp(`${path.replace(/:\w+/g, '[^/]+')}$`),
}));

const rpcCall = z.object({ method: z.string() });

/** The name of a call: an endpoint's name in our table, or a method of the chain. */
export function callName(method: string, url: string, body: Buffer): string {
  const { pathname } = new URL(url, 'http://service');
  if (pathname.endsWith('/rpc')) return `chain ${rpcCall.parse(JSON.parse(String(body))).method}`;
  const [best] = patterns
    .filter((pattern) => pattern.method === method && pattern.path.test(pathname))
    // "/wallets/:id" fits where ":id" is a word of a longer path, so the more words the better.
    .sort((one, other) => other.fixed - one.fixed);
  return `service ${best?.name ?? `${method} ${pathname}`}`;
}
