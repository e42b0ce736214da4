import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Doorway, listenAgain } from './doorway';
import type { Call, Gate, Pass } from './gate';

/** Headers that belong to one connection, or that the proxy sets itself. */
const notPassedOn = ['host', 'connection', 'transfer-encoding', 'content-length', 'x-order'];

/** An HTTP server, and which of its calls belong to an order. */
type Upstream = {
  origin: string;
  gate: Gate;
  callOf(incoming: IncomingMessage, body: Buffer): Call | undefined;
};

/** Starts a proxy before an HTTP server. It takes every call of an order past the gate. */
export async function startHttpProxy(upstream: Upstream): Promise<Doorway> {
  const server = createServer((incoming, response) => {
    passOn({ ...upstream, incoming, response }).catch(() => response.destroy());
  });
  return listenAgain(server, () => server.closeAllConnections());
}

type Exchange = Upstream & { incoming: IncomingMessage; response: ServerResponse };

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer };

async function passOn({ gate, callOf, origin, incoming, response }: Exchange): Promise<void> {
  const body = Buffer.concat(await incoming.toArray());
  const call = callOf(incoming, body);
  const pass: Pass = call === undefined ? async () => true : gate.meet(call);
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
