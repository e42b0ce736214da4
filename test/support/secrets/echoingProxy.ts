import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../service/listening';

/** Faults of the way back. Each repeats the request's content in another form. */
export const troubles = [
  /** A proxy's page whose status, reason and headers all repeat the request. */
  'page',
  /** The same page with status 200. */
  'welcome',
  /** An error in the service's own form whose message repeats the request. */
  'fault',
  'refusal',
  'unauthorized',
  /** An answer that stops half-way. */
  'cutOff',
  /** Bytes that are not HTTP. */
  'broken',
  'lost',
  /** The same bytes, and the call never reached the service. */
  'swallowed',
] as const;
export type Trouble = (typeof troubles)[number];

/** Faults that happen before the service. All others change the answer. */
const instead: readonly Trouble[] = ['refusal', 'unauthorized', 'swallowed'];

export type Call = { method: string; path: string };

export type EchoingProxy = {
  baseUrl: string;
  /** Chooses the fault for a call. Undefined passes the answer on. */
  plan: (call: Call) => Trouble | undefined;
  /** Repeated parts of requests: the proof that there were secrets to hide. */
  repeated: string[];
  /** Every ciphertext of a request. */
  ciphertexts: string[];
  /** The number of times that each fault occurred. */
  made: Record<Trouble, number>;
  close(): Promise<void>;
};

type Request = Call & { authorization: string; body: string };
type Dump = (request: Request) => string;

/** The forms in which a request is repeated. Errors show only the beginning, so each is short. */
const dumps: readonly Dump[] = [
  ({ authorization }) => `authorization: ${authorization}`,
  ({ authorization }) => JSON.stringify(JSON.stringify({ authorization })),
  ({ authorization }) => `/login?authorization=${encodeURIComponent(authorization)}`,
  ({ authorization }) => Buffer.from(authorization).toString('base64'),
  ({ authorization }) => Buffer.from(`x-${authorization}`).toString('base64url'),
  ({ authorization }) => Buffer.from(`xy-${authorization}`).toString('base64'),
  ({ authorization }) => Buffer.from(authorization.slice(-40)).toString('hex'),
  ({ authorization }) => Buffer.from(authorization.slice(-40)).toString('hex').toUpperCase(),
  ({ authorization }) => `…${authorization.slice(-30)}`,
];

/** A part of a request. For a signed one, every second time it is the ciphertext. */
function dumpOf(request: Request, count: number): string {
  const [ciphertext] = request.body.match(ciphertextForm) ?? [];
  if (ciphertext !== undefined && count % 2 === 0) return ciphertext;
  return (dumps[count % dumps.length] ?? String)(request);
}

const ciphertextForm = /"entitySecretCiphertext":"([^"]+)"/;

/** A real HTTP server that passes calls on, and repeats to callers what they sent. */
export async function startEchoingProxy(service: () => string): Promise<EchoingProxy> {
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listening(server);
  const made = Object.fromEntries(troubles.map((trouble) => [trouble, 0]));
  const proxy: EchoingProxy = {
    baseUrl: `${url}/v1/w3s`,
    plan: () => undefined,
    repeated: [],
    ciphertexts: [],
    made: made as EchoingProxy['made'],
    close,
  };
  let count = 0;
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await read(incoming);
    proxy.ciphertexts.push(...(request.body.match(ciphertextForm)?.slice(1) ?? []));
    const { method, path, authorization, body } = request;
    const headers = { authorization, 'content-type': 'application/json' };
    const trouble = proxy.plan(request);
    const sent = body === '' ? { method, headers } : { method, headers, body };
    if (trouble === undefined || !instead.includes(trouble)) {
      const answer = await fetch(new URL(path, service()), sent);
      const text = await answer.text();
      if (trouble === undefined) {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
        return;
      }
    }
    proxy.made[trouble] += 1;
    count += 1;
    const dump = dumpOf(request, count);
    proxy.repeated.push(dump);
    answers[trouble](response, dump, authorization);
  };
  return proxy;
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url: path = '/' } = incoming;
  const body = Buffer.concat(await incoming.toArray()).toString('utf8');
  // The chain's key is part of its address.
  const { authorization = path } = incoming.headers;
  return { method, path, authorization, body };
}

type Answering = (response: ServerResponse, dump: string, authorization: string) => void;

const inForm =
  (status: number): Answering =>
  (response, dump) => {
    const text = JSON.stringify({ code: status, message: `No such thing: ${dump}` });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };

const answers: Record<Trouble, Answering> = {
  page: (response, dump, authorization) => {
    const headers = { 'retry-after': authorization, 'x-repeated': authorization };
    response.writeHead(502, `Bad ${authorization}`, { ...headers, 'content-type': 'text/html' });
    response.end(`<pre>${dump}</pre>`);
  },
  welcome: (response, dump) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<pre>${dump}</pre>`);
  },
  fault: inForm(500),
  refusal: inForm(400),
  unauthorized: inForm(401),
  cutOff: (response, dump) => {
    const text = JSON.stringify({ data: { [dump]: dump, id: dump } });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text.slice(0, Math.floor(text.length / 2)));
  },
  broken: ({ socket }, dump) => {
    socket?.end(`${dump}\r\n\r\n`);
  },
  lost: (response) => {
    response.destroy();
  },
  swallowed: (response) => {
    response.destroy();
  },
};
