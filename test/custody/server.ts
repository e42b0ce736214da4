import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../support/service/listening';

/** A request as the server saw it. */
export type Seen = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
};

/** An answer: status, headers and body, or a fault of the connection. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string }
  | 'silence'
  | 'reset'
  | 'half';

export type Server = { origin: string; seen: Seen[]; stop(): Promise<void> };

/** An HTTP server on a port of its own, which remembers every request. */
export async function startServer(reply: (request: Seen, call: number) => Reply): Promise<Server> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const { method = '', url = '', headers } = request;
    const now = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    seen.push(now);
    send(response, reply(now, seen.length));
  });
  const { url: origin, close: stop } = await listening(server);
  return {
    origin,
    seen,
    stop,
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return;
  if (reply === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (reply === 'half') {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"transaction":', () => response.socket?.destroy());
    return;
  }
  response.writeHead(reply.status ?? 200, reply.headers ?? {});
  response.end(reply.body ?? '');
}
