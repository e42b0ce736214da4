import { z } from 'zod';
import type { Chain } from '../chain/chain';

/** Passes on the JSON-RPC of whoever wants to read the chain. */
export type Relay = (body: unknown) => Promise<unknown>;

export const relayPath = '/_sandbox/rpc';

const callSchema = z.object({ id: z.unknown(), method: z.string() });
const bodySchema = z.union([callSchema, z.array(callSchema)]);

/** Methods that change nothing. Only the service moves the chain, by what it signs. */
const reads = /^(eth_(?!send|sign)|net_|web3_)/;

/** JSON-RPC's codes for what is no request, and for a method that is not offered. */
const invalidRequest = -32_600;
const noMethod = -32_601;

/**
 * Reads of the chain for others. A read that comes while the node is replaced waits for the next.
 */
export function createRelay(chain: Pick<Chain, 'relay'>): Relay {
  return async (body) => {
    const { data } = bodySchema.safeParse(body);
    if (data === undefined) return refusal(null, { code: invalidRequest, message: 'No request' });
    const calls = Array.isArray(data) ? data : [data];
    if (calls.every(({ method }) => reads.test(method))) return chain.relay(body);
    const refusals = calls.map(({ id, method }) =>
      refusal(id, { code: noMethod, message: `The sandbox offers reads alone, no ${method}` }),
    );
    return Array.isArray(data) ? refusals : refusals[0];
  };
}

function refusal(id: unknown, error: { code: number; message: string }) {
  return { jsonrpc: '2.0', id, error };
}
