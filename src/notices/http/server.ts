import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { lastNoticeHeader } from '../lastNoticeHeader';
import { isGenuine, type NoticeOutcome, type ReceiverParts, receive, statusOf } from './receive';

/** Connections at a time. Each has one request, so that their bodies take 32 MiB at most. */
const connectionsMax = 512;
const knownMax = 256;
const headersBytesMax = 8 * 1024;
const headersTimeoutMs = 3_000;
/** A request that is not all there by then is slow on purpose. */
const requestTimeoutMs = 5_000;

export type ServerParts = ReceiverParts & {
  /** Certificate and key, as PEM. Without them a proxy in front has to do TLS. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Hears each result, and the time of the last genuine notice in milliseconds. */
  count: (outcome: NoticeOutcome, lastMs: number | undefined) => void;
};

/** The webhook: answers HEAD, and POST with a notice. It is bounded in time and in memory. */
export function createReceiver(parts: ServerParts): Server {
  let lastMs: number | undefined;
  const answer: Answer = async (request, response) => {
    if (request.method === 'HEAD') {
      const last = lastMs === undefined ? {} : { [lastNoticeHeader]: iso(lastMs) };
      response.writeHead(200, last);
      response.end();
      return 'open';
    }
    const { outcome, atMs } = await receive(request, parts);
    lastMs = laterOf(lastMs, atMs);
    parts.count(outcome, lastMs);
    if (isGenuine(outcome)) {
      noteKnown(request.socket);
      response.writeHead(statusOf(outcome)).end();
      return 'open';
    }
    // A stranger has to connect again for each attempt.
    response.writeHead(statusOf(outcome), { connection: 'close' }).end();
    response.once('finish', () => request.socket.destroySoon());
    return 'closing';
  };
  const options: ServerOptions = {
    maxHeaderSize: headersBytesMax,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 30_000,
  };
  const oneByOne = oneAtATime(answer);
  const server: Server =
    parts.tls === undefined
      ? createServer(options, oneByOne)
      : createTlsServer({ ...options, ...parts.tls, handshakeTimeout: requestTimeoutMs }, oneByOne);
  const noteKnown = makeRoom(server);
  return server;
}

/** A replayed notice has its old time, so it renews nothing. */
function laterOf(lastMs: number | undefined, atMs: number = Number.NaN): number | undefined {
  if (Number.isNaN(atMs)) return lastMs;
  return Math.max(lastMs ?? 0, Math.min(atMs, Date.now()));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Answers a request, and tells what becomes of its connection. Never rejects. */
type Answer = (...of: Parameters<RequestListener>) => Promise<'open' | 'closing'>;

/** Drops a connection that sends a request before it has the answer to the one before. */
function oneAtATime(answer: Answer): RequestListener {
  const busy = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    void answer(request, response).then((next) => {
      // At once: under load the next notice comes before Node tells that the answer has left.
      if (next === 'open') busy.delete(socket);
    });
  };
}

/**
 * Too many connections end the oldest one of a stranger, so that slow ones keep nobody out.
 * Connections that brought a genuine notice stay, up to half of all. Returns the call that notes
 * the connection of a genuine notice.
 */
function makeRoom(server: Server): (socket: Socket) => void {
  // By the peer, since TLS has another socket above this one.
  const strangers = new Map<string, Socket>();
  const known = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    strangers.set(peer, socket);
    socket.once('close', () => {
      for (const open of [strangers, known]) if (open.get(peer) === socket) open.delete(peer);
    });
    if (strangers.size + known.size > connectionsMax) dropOldest(strangers);
  });
  return (socket) => {
    const peer = peerOf(socket);
    const raw = strangers.get(peer) ?? known.get(peer);
    if (raw === undefined) return;
    strangers.delete(peer);
    known.delete(peer);
    known.set(peer, raw);
    if (known.size > knownMax) dropOldest(known);
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function dropOldest(open: Map<string, Socket>): void {
  const [oldest] = open;
  if (oldest === undefined) return;
  open.delete(oldest[0]);
  oldest[1].destroy();
}
