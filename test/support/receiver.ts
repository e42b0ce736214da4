import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a webhook has been sent, to the byte. */
export type Received = { headers: IncomingHttpHeaders; body: string; atMs: number };

/** What the sandbox says in a notice. */
export type Told = {
  subscriptionId: string;
  notificationId: string;
  notificationType: string;
  notification: Record<string, unknown>;
  timestamp: string;
  version: number;
};

export type Receiver = {
  endpoint: string;
  received: Received[];
  told(type?: string): Told[];
  /** Waits until this many notices of a type are there. */
  waitFor(count: number, type?: string): Promise<Told[]>;
  stop(): Promise<void>;
};

/** What a webhook answers, with a status, or never where it says undefined. */
type Answer = (received: Received, before: readonly Received[]) => number | undefined;

/** A webhook that answers HEAD, and remembers what it is sent. */
export async function startReceiver(
  answer: Answer = () => 200,
  { headStatus = 200 } = {},
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'HEAD') {
      response.writeHead(headStatus).end();
      return;
    }
    void request.toArray().then((chunks: Buffer[]) => {
      const one = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        atMs: Date.now(),
      };
      const status = answer(one, [...received]);
      received.push(one);
      if (status !== undefined) response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const told = (type?: string): Told[] =>
    received
      .map(({ body }): Told => JSON.parse(body))
      .filter(({ notificationType }) => type === undefined || notificationType === type);
  return {
    endpoint: `http://127.0.0.1:${port}/hook`,
    received,
    told,
    waitFor: async (count, type) => {
      const deadline = Date.now() + 15_000;
      while (told(type).length < count) {
        if (Date.now() > deadline) {
          throw new Error(`Of ${count} notices ${told(type).length} have come.`);
        }
        await sleep(10);
      }
      return told(type);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
