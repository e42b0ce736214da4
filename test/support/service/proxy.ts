import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a worker and the service. It can change calls, and change or drop answers. */
export type ServiceProxy = {
  baseUrl: string;
  /** Sets the service's address. Before that, every call gets a 502. */
  forwardTo(baseUrl: string): void;
  /** Returns what the service is told in the place of what the worker has sent. */
  change: (call: { method: string; path: string }, body: string) => string;
  /**
   * Sees each answer before the worker does. True passes it on. False drops it: the worker sees a
   * broken connection after the service has done the work.
   */
  onAnswer: (call: { method: string; path: string; status: number }) => Promise<boolean>;
  /** Tells the worker something else: another body, or another time in the header `Date`. */
  lie: (call: { method: string; path: string }, text: string) => { text: string; date?: Date };
  close(): Promise<void>;
};

/** A real HTTP server on a free port that passes calls on. */
export async function startProxy(): Promise<ServiceProxy> {
  let origin: string | undefined;
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: ServiceProxy = {
    baseUrl: `http://127.0.0.1:${port}/v1/w3s`,
    forwardTo: (baseUrl) => {
      ({ origin } = new URL(baseUrl));
    },
    change: (_, body) => body,
    onAnswer: async () => true,
    lie: (_, text) => ({ text }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (origin === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { method = 'GET', url: path = '/' } = request;
    const sent = Buffer.concat(await request.toArray()).toString();
    const body = proxy.change({ method, path }, sent);
    const answer = await fetch(origin + path, {
      method,
      headers: {
        authorization: String(request.headers.authorization),
        'content-type': 'application/json',
      },
      ...(body === '' ? {} : { body }),
    });
    const { text, date } = proxy.lie({ method, path }, await answer.text());
    if (await proxy.onAnswer({ method, path, status: answer.status })) {
      const told = date === undefined ? {} : { date: date.toUTCString() };
      const headers = { 'content-type': 'application/json', ...told };
      response.writeHead(answer.status, headers).end(text);
    } else {
      response.destroy();
    }
  };
  return proxy;
}
