import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { orderNames } from '../orderName';
import { type Doorway, listenAgain } from './doorway';
import type { Gate, Party, Pass } from './gate';
import { createNames, type Names } from './temporalCall';

/**
 * Stands between the Temporal server and one who uses it, and takes every call of an order past the
 * gate. Each connection has its own to the server: when one side's breaks, the other's does too.
 */
export async function startTemporalProxy(
  address: string,
  { gate, user }: { gate: Gate; user: Party },
): Promise<Doorway> {
  // Only the receiver has calls that an address or an id stands for.
  const isReceiver = user === 'receiver';
  const orderIn = (bytes: Buffer) => (isReceiver ? gate.orderIn(bytes) : orderNames(bytes)[0]);
  const names = createNames(isReceiver ? user : 'temporal', orderIn);
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => {
    const upstream = connect(`http://${address}`);
    sessions.add(session);
    // A broken connection is what this proxy passes on, not a fault of its own.
    session.on('error', () => {});
    upstream.on('error', () => {});
    session.once('close', () => {
      sessions.delete(session);
      upstream.destroy();
    });
    upstream.once('close', () => session.destroy());
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => {});
      passOn({ upstream, stream, headers, names, gate, user }).catch(() => cut(stream));
    });
  });
  return listenAgain(server, () => {
    for (const session of sessions) session.destroy();
  });
}

type Exchange = {
  upstream: ClientHttp2Session;
  stream: ServerHttp2Stream;
  headers: IncomingHttpHeaders;
  names: Names;
  gate: Gate;
  user: Party;
};

type Answer = { headers: IncomingHttpHeaders; body: Buffer; trailers: IncomingHttpHeaders };

async function passOn(exchange: Exchange): Promise<void> {
  const { stream, headers, names, gate, user } = exchange;
  const body = Buffer.concat(await stream.toArray());
  const method = String(headers[':path']);
  const call = names.ofRequest(method, body);
  const pass: Pass =
    call === undefined ? async () => true : gate.meet({ ...call, ends: [user, 'temporal'] });
  if (!(await pass('before')) || stream.destroyed) return cut(stream);
  const answer = await ask(exchange, body);
  names.learn(method, answer.body);
  if (!(await pass('between')) || stream.destroyed) return cut(stream);
  await pass('after');
  if (!stream.destroyed) reply(stream, answer);
}

function ask({ upstream, stream, headers }: Exchange, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = upstream.request(plain(headers), { endStream: false });
    // The caller is gone, so the server must not hand it a task.
    stream.once('close', () => asked.close(constants.NGHTTP2_CANCEL));
    const answer: Answer = { headers: {}, body: Buffer.alloc(0), trailers: {} };
    const chunks: Buffer[] = [];
    asked.once('response', (received) => {
      answer.headers = received;
    });
    asked.on('trailers', (received) => {
      answer.trailers = received;
    });
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.once('error', reject);
    asked.once('close', () => {
      answer.body = Buffer.concat(chunks);
      if (answer.headers[':status'] === undefined) reject(new Error('The server gave no answer.'));
      else resolve(answer);
    });
    asked.end(body);
  });
}

function reply(stream: ServerHttp2Stream, { headers, body, trailers }: Answer): void {
  if (body.length === 0 && Object.keys(trailers).length === 0) {
    stream.respond(plain(headers), { endStream: true });
    return;
  }
  stream.respond(plain(headers), { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(plain(trailers)));
  stream.end(body);
}

/** Without what Node keeps beside the headers and does not take back. */
function plain(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers));
}

function cut(stream: ServerHttp2Stream): void {
  if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
}
