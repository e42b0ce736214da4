import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening';

/** A call on its way. The path has the query in it. */
export type Call = { method: string; path: string };

/** The answer to a call. Its link tells which pages of a list are beside this one. */
export type Answer = { status: number; text: string; link?: string | undefined };

/** Stands between a worker and the service. It can change calls, and change or drop answers. */
export type ServiceProxy = {
  baseUrl: string;
  /** Sets the service's address. Before that, every call gets a 502. */
  forwardTo(baseUrl: string): void;
  /** Returns what the service is told in the place of what the worker has sent. */
  change: (call: Call, body: string) => string;
  /** Answers a call. Unless a test changes that, it asks the service the same. */
  answer: (call: Call, ask: (call: Call) => Promise<Answer>) => Promise<Answer>;
  /**
   * Sees each answer before the worker does. True passes it on. False drops it: the worker sees a
   * broken connection after the service has done the work.
   */
  onAnswer: (call: Call & { status: number }) => Promise<boolean>;
  /** Tells the worker something else: another body, or another time in the header `Date`. */
  lie: (call: Call, text: string) => { text: string; date?: Date };
  close(): Promise<void>;
};

/** A real HTTP server on a free port that passes calls on. */
export async function startProxy(): Promise<ServiceProxy> {
  let origin: string | undefined;
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listening(server);
  const proxy: ServiceProxy = {
    baseUrl: `${url}/v1/w3s`,
    forwardTo: (baseUrl) => {
      ({ origin } = new URL(baseUrl));
    },
    change: (_, body) => body,
    answer: (call, ask) => ask(call),
    onAnswer: async () => true,
    lie: (_, text) => ({ text }),
    close,
  };

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (origin === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { method = 'GET', url: path = '/' } = request;
    const sent = Buffer.concat(await request.toArray()).toString();
    const body = proxy.change({ method, path }, sent);
    const authorization = String(request.headers.authorization);
    const headers = { authorization, 'content-type': 'application/json' };
    const ask = (call: Call): Promise<Answer> =>
      askOrigin(origin + call.path, {
        method: call.method,
        headers,
        ...(body === '' || call.method === 'GET' ? {} : { body }),
      });
    const { status, text: said, link } = await proxy.answer({ method, path }, ask);
    const { text, date } = proxy.lie({ method, path }, said);
    if (await proxy.onAnswer({ method, path, status })) {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(link === undefined ? {} : { link }),
        ...(date === undefined ? {} : { date: date.toUTCString() }),
      });
      response.end(text);
    } else {
      response.destroy();
    }
  };
  return proxy;
}

async function askOrigin(url: string, request: RequestInit): Promise<Answer> {
  const answer = await fetch(url, request);
  const link = answer.headers.get('link') ?? undefined;
  return { status: answer.status, text: await answer.text(), link };
}
