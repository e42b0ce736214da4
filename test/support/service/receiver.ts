import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from './listening';

/** The exact bytes that a webhook received. */
export type Received = { headers: IncomingHttpHeaders; body: string; atMs: number };

/** The content of a notice. */
export type Told = {
  subscriptionId: string;
  notificationId: string;
  notificationType: string;
  notification: Record<string, unknown>;
  timestamp: string;
  version: number;
};

type Which = string | ((told: Told) => boolean);

export type Receiver = {
  endpoint: string;
  received: Received[];
  /** The notices that were received: all, those of one type, or those that a test selects. */
  told(which?: Which): Told[];
  /** Waits until this many notices were received. */
  waitFor(count: number, which?: Which): Promise<Told[]>;
  stop(): Promise<void>;
};

/** Decides the status of a webhook's answer. Undefined means no answer at all. */
type Answer = (received: Received, before: readonly Received[]) => number | undefined;

/** Starts a webhook that answers HEAD and records everything it receives. */
export async function startReceiver(
  answer: Answer = () => 200,
  { headStatus = 200, port: wanted = 0 } = {},
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
  const { url, close: stop } = await listening(server, wanted);
  const told = (which: Which = () => true): Told[] =>
    received
      .map(({ body }): Told => JSON.parse(body))
      .filter((one) => (typeof which === 'string' ? one.notificationType === which : which(one)));
  return {
    endpoint: `${url}/hook`,
    received,
    told,
    waitFor: async (count, which) => {
      const deadline = Date.now() + 100_000;
      while (told(which).length < count) {
        const { length } = told(which);
        if (Date.now() > deadline) throw new Error(`${length} of ${count} notices were received.`);
        await sleep(10);
      }
      return told(which);
    },
    stop,
  };
}
