import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePorts } from '../../../src/local/freePorts';

/** A path to the service that goes down when the test says so, and comes back. */
export type Outage = {
  baseUrl: string;
  /** All endpoints that were called, in the order of their first calls. Ids are shown as `:id`. */
  endpoints: string[];
  /** Resolves when the service is down. */
  fallen: Promise<void>;
  /** Serves again at the same address. Does nothing when the service is up. */
  rise(): Promise<void>;
  close(): Promise<void>;
};

/**
 * A real HTTP server that passes calls on to the service until the first call of the given
 * endpoint. That call is lost, and then every connection is refused.
 */
export async function startOutage(origin: string, fallsAt?: string): Promise<Outage> {
  let isDown = false;
  let fall = (): void => {};
  const endpoints: string[] = [];
  const fallen = new Promise<void>((resolve) => {
    fall = () => {
      isDown = true;
      server.close();
      server.closeAllConnections();
      resolve();
    };
  });
  const server = createServer((request, response) => {
    const endpoint = endpointOf(request);
    const isFirst = !endpoints.includes(endpoint);
    if (isFirst) endpoints.push(endpoint);
    if (isFirst && endpoint === fallsAt) fall();
    else pass(origin, request, response).catch(() => response.destroy());
  });
  // Ports below the system's range for outgoing connections, so that it is still free later.
  const [port = 0] = await freePorts([20_000 + Math.floor(Math.random() * 10_000)]);
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen();
  return {
    baseUrl: `http://127.0.0.1:${port}/v1/w3s`,
    endpoints,
    fallen,
    rise: async () => {
      if (isDown) await listen();
      isDown = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function endpointOf({ method, url = '/' }: IncomingMessage): string {
  const [path = ''] = url.split('?');
  return `${method} ${path.replace(/[0-9a-f-]{36}/g, ':id')}`;
}

async function pass(
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const body = Buffer.concat(await request.toArray());
  const headers = {
    authorization: String(request.headers.authorization),
    'content-type': 'application/json',
  };
  const sent = body.length === 0 ? { method, headers } : { method, headers, body };
  const answer = await fetch(new URL(url, origin), sent);
  const link = answer.headers.get('link');
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    ...(link === null ? {} : { link }),
  });
  response.end(await answer.text());
}
