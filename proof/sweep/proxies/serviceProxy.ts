import { z } from 'zod';
import { endpoints } from '../../../src/custody/endpoints';
import { orderNames } from '../orderName';
import type { Doorway } from './doorway';
import type { Gate } from './gate';
import { startHttpProxy } from './httpProxy';

/** Starts a proxy between worker and sandbox. A header names the order of each call. */
export async function startServiceProxy(origin: string, gate: Gate): Promise<Doorway> {
  return startHttpProxy({
    origin,
    gate,
    callOf: ({ headers, method = 'GET', url = '/' }, body) => {
      const [order] = orderNames(String(headers['x-order'] ?? ''));
      if (order === undefined) return undefined;
      return { order, name: callName(method, url, body), ends: ['worker', 'sandbox'] };
    },
  });
}

const patterns = Object.entries(endpoints).map(([name, { method, path }]) => ({
  name,
  method,
  fixed: path.split('/').filter((part) => !part.startsWith(':')).length,
  path: new RegExp(`${path.replace(/:\w+/g, '[^/]+')}$`),
}));

const rpcCall = z.object({ method: z.string() });
/** Several calls in one request are named by the first. */
const rpcBody = z.union([rpcCall, z.tuple([rpcCall], z.unknown()).transform(([first]) => first)]);

/** The name of a call: an endpoint's name in our table, or a method of the chain. */
export function callName(method: string, url: string, body: Buffer): string {
  const { pathname } = new URL(url, 'http://service');
  if (pathname.endsWith('/rpc')) return `chain ${rpcBody.parse(JSON.parse(String(body))).method}`;
  const [best] = patterns
    .filter((pattern) => pattern.method === method && pattern.path.test(pathname))
    // "/wallets/:id" fits where ":id" is a word of a longer path, so the more words the better.
    .sort((one, other) => other.fixed - one.fixed);
  return `service ${best?.name ?? `${method} ${pathname}`}`;
}
