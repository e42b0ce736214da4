import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Settings } from '../../../sandbox/config/settings';
import { fault } from '../../../sandbox/errors/errors';
import { refused } from '../../../sandbox/http/answer';
import { invalidEntity } from '../../../sandbox/http/jsonBody';
import { createRateLimit } from '../../../sandbox/http/rateLimit';
import { type Endpoint, endpoints, type RateClass } from '../../../src/custody/endpoints';
import { answerChain } from './chain';
import { createHandlers, type Rules, type Served, served } from './handlers';
import { openJournal } from './journal';
import { Ledger } from './ledger';

const basePath = '/v1/w3s';
/** Serves the chain's face. */
export const rpcPath = '/_bench/rpc';
/** Longer than any client keeps an idle connection, so that none is closed under a request. */
const keepAliveMs = 600_000;

export type ServiceOptions = Rules & {
  apiKey: string;
  rateLimit: Settings['rateLimit'];
  /** The file that keeps accepted transfers. Without it they are kept in memory alone. */
  journal?: string;
};

/** Counts of calls, and of refusals. */
export type Counts = {
  /** The number of transfers and batches accepted in all. The other counts begin with the process. */
  transfers: number;
  calls: Partial<Record<Served, number>>;
  limited: Record<RateClass, number>;
  refused: Record<string, number>;
};

/**
 * Serves the interface over HTTP, as quickly as one process can. It has what clients rely upon:
 * keys, pages, one transfer at a time for an SCA wallet, batches and their receipts, the hosted
 * limits. The rest is left out. `/_bench/` returns its counts and transfers.
 */
export function createService(options: ServiceOptions): Server {
  const { journal } = options;
  const ledger = journal === undefined ? new Ledger() : openJournal(journal);
  const counts: Omit<Counts, 'transfers'> = {
    calls: {},
    limited: { reads: 0, writes: 0, frequentWrites: 0 },
    refused: {},
  };
  const rateLimit = createRateLimit({ rateLimit: options.rateLimit });
  const handlers = createHandlers(ledger, options);
  const routes = served.map(routeOf);

  const carryOut = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const { method = '', url = '/' } = request;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/_bench/counts') {
      return { status: 200, body: { ...counts, transfers: ledger.transfers.length } };
    }
    if (pathname === '/_bench/transfers') return { status: 200, body: transfersOf(ledger) };
    if (pathname === rpcPath) {
      return { status: 200, body: answerChain(ledger, await readBody(request)) };
    }
    const route = routes.find(
      ({ endpoint, path }) => endpoint.method === method && path.test(pathname),
    );
    if (route === undefined) throw fault('notFound');
    const { name, endpoint, path } = route;
    if (name !== 'ping') checkApiKey(request, options.apiKey);
    limit(rateLimit, counts, endpoint.rate);
    counts.calls[name] = (counts.calls[name] ?? 0) + 1;
    const given =
      method === 'GET'
        ? Object.fromEntries(searchParams)
        : signed(endpoint, await readBody(request));
    const { id } = path.exec(pathname)?.groups ?? {};
    const input = { ...given, ...(id === undefined ? {} : { id }) };
    const { output, isRepeated = false } = handlers[name](input);
    return { status: isRepeated ? 200 : endpoint.success, body: { data: output } };
  };

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    carryOut(request)
      .catch((error: unknown) => {
        const answer = refused(error);
        counts.refused[String(answer.code)] = (counts.refused[String(answer.code)] ?? 0) + 1;
        return answer;
      })
      .then(({ status, body }) => send(response, status, body));
  });
  return server;
}

type Route = { name: Served; endpoint: Endpoint; path: RegExp };

function routeOf(name: Served): Route {
  const endpoint: Endpoint = endpoints[name];
  const path = (endpoint.root === 'base' ? basePath : '') + endpoint.path;
  return { name, endpoint, path: new RegExp(`^${path.replace(':id', '(?<id>[^/]+)')}$`) };
}

function checkApiKey({ headers }: IncomingMessage, apiKey: string): void {
  if (headers.authorization !== `Bearer ${apiKey}`) throw fault('unknownKey');
}

/** Refuses a signed call without a ciphertext. Does not decrypt it. */
function signed(endpoint: Endpoint, body: Record<string, unknown>): Record<string, unknown> {
  const { entitySecretCiphertext, ...rest } = body;
  if (endpoint.signed && typeof entitySecretCiphertext !== 'string') throw fault('secretInvalid');
  return rest;
}

function limit(
  rateLimit: (rate: RateClass) => void,
  counts: Pick<Counts, 'limited'>,
  rate: RateClass,
): void {
  try {
    rateLimit(rate);
  } catch (error) {
    counts.limited[rate] += 1;
    throw error;
  }
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = await request.toArray();
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw invalidEntity();
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** A transfer as the bench judges it. The transfers of a batch have one id. */
export type TransferFacts = {
  id: string;
  walletId: string;
  to: string;
  amount: string;
  refId: string | undefined;
  asked: number;
  receivedAtMs: number;
  settlesAtMs: number;
};

function transfersOf({ transfers }: Ledger): TransferFacts[] {
  return transfers.flatMap(({ wallet, payments, id, refId, asked, receivedAtMs, settlesAtMs }) =>
    payments.map(({ to, amount }) => {
      return { id, walletId: wallet.id, to, amount, refId, asked, receivedAtMs, settlesAtMs };
    }),
  );
}
