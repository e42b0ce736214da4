import { createServer, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { tokens } from '../payouts/service/tokens';
import { answerChain, requestForm } from './chain';
import { blockchain, type Day, dayOf, numberIn, recordOf, startMs, usdc, usdcId } from './day';

/** Longer than any client keeps an idle connection, so that none is closed under a request. */
const keepAliveMs = 600_000;
const date = new Date(startMs).toISOString();

/** The stub as a process: a service and its chain, of one synthetic day. */
function main(): void {
  const { values } = parseArgs({ options: { shape: { type: 'string', default: '{}' } } });
  const day = dayOf(JSON.parse(values.shape));
  const counts = { lists: 0 };
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const answer = async (): Promise<unknown> => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/rpc') return answerAll(day, await readBody(request));
      if (pathname === '/_bench/counts') return counts;
      if (pathname.endsWith('/transactions')) counts.lists += 1;
      return { data: dataOf(day, pathname, searchParams) };
    };
    answer()
      .then((body) => send(response, 200, body))
      .catch((error: unknown) => send(response, 404, { code: 1, message: String(error) }));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    console.log(`Service ready: http://127.0.0.1:${port}/v1/w3s`);
  });
}

function answerAll(day: Day, body: unknown): object {
  const all = z.union([z.array(requestForm), requestForm]).parse(body);
  return Array.isArray(all) ? all.map((one) => answerChain(day, one)) : answerChain(day, all);
}

function dataOf(day: Day, path: string, query: URLSearchParams): object {
  if (path.endsWith('/config/entity')) return { appId: usdcId };
  if (path.endsWith('/transactions')) return { transactions: listOf(day, query) };
  if (path.endsWith('/wallets')) return { wallets: query.has('pageAfter') ? [] : wallets(day) };
  if (path.endsWith('/balances')) return { tokenBalances: [] };
  if (path.endsWith('/nfts')) return { nfts: [] };
  const [, wallet] = /\/wallets\/([^/]+)$/.exec(path) ?? [];
  if (wallet !== undefined) return { wallet: wallets(day).find(({ id }) => id === wallet) };
  const token = tokens.find(({ tokenAddress }) => tokenAddress === usdc);
  if (path.includes('/tokens/')) return { token: { ...token, id: usdcId } };
  throw new Error(`There is no ${path}.`);
}

function wallets(day: Day) {
  return Array.from({ length: day.wallets }, (_, place) => ({
    ...day.wallet(place),
    state: 'LIVE',
    walletSetId: usdcId,
    custodyType: 'DEVELOPER',
    blockchain,
    accountType: 'EOA',
    createDate: date,
    updateDate: date,
  }));
}

/** One page of the list. All records are outbound. */
function listOf(day: Day, query: URLSearchParams): object[] {
  const hash = query.get('txHash');
  if (hash !== null) return [recordOf(day.transaction(numberIn(hash)))];
  const size = Number(query.get('pageSize') ?? 10);
  const from = query.get('from');
  const to = query.get('to');
  const low = from === null ? 0 : day.firstCreatedAt(Date.parse(from));
  const high = to === null ? day.transactions : day.firstCreatedAt(Date.parse(to) + 1);
  const after = query.get('pageAfter');
  const isRising = query.get('order') === 'ASC';
  const first =
    after === null ? (isRising ? low : high - 1) : numberIn(after) + (isRising ? 1 : -1);
  const numbers = Array.from({ length: size }, (_, place) =>
    isRising ? first + place : first - place,
  );
  const inside = numbers.filter((n) => n >= low && n < high);
  return inside.map((n) => recordOf(day.transaction(n)));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = await request.toArray();
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function send(response: import('node:http').ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

main();
