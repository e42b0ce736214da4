import { getAddress, type Hex, isAddress, isHex, toHex } from 'viem';
import { z } from 'zod';
import type { Chain } from '../chain/chain';
import type { Settings } from '../config/settings';
import { OutsideRefusal } from '../engine/broadcast/outside';
import type { Engine } from '../engine/engine';

/** Passes on the JSON-RPC of whoever reads the chain, or pays on it from an account of its own. */
export type Relay = (body: unknown) => Promise<unknown>;

export const relayPath = '/_sandbox/rpc';

const callSchema = z.looseObject({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});
const bodySchema = z.union([callSchema, z.array(callSchema)]);
type Call = z.output<typeof callSchema>;

/** Methods that change nothing. */
const reads = /^(eth_(?!send|sign)|net_|web3_)/;

/** JSON-RPC's codes: no request, a method that is not offered, and a transaction's refusal. */
const [invalidRequest, noMethod, refusedTransaction] = [-32_600, -32_601, -32_000];

/** Limits of Arc's nodes, in their words. */
const callsMax = 100;
const noPool = { code: -32_001, message: 'Pending transaction filters are not allowed' };

type Parts = {
  chain: Pick<Chain, 'relay'>;
  settings: Pick<Settings, 'outsideTransactions' | 'idleBlocks'>;
  engine: () => Promise<Pick<Engine, 'takeOutside' | 'nextNonce' | 'watch'>>;
};

/**
 * Reads of the chain for others, and transactions that others have signed. A read that comes while
 * the node is replaced waits for the next.
 */
export function createRelay({ chain, settings, engine }: Parts): Relay {
  const answer = async (call: Call): Promise<unknown> => {
    const { id, method, params = [] } = call;
    const [first, block] = params;
    if (method === 'eth_sendRawTransaction' && settings.outsideTransactions === 'on') {
      return result(id, () => send(first));
    }
    if (method === 'eth_getTransactionCount' && block === 'pending' && isAccount(first)) {
      return result(id, async () => toHex(await (await engine()).nextNonce(getAddress(first))));
    }
    if (method === 'eth_getBlockByNumber' && first === 'pending') {
      return result(id, async () => null);
    }
    if (method === 'eth_newPendingTransactionFilter') return refusal(id, noPool);
    if (reads.test(method)) return chain.relay(call);
    return refusal(id, { code: noMethod, message: `The sandbox offers no ${method}` });
  };
  const send = async (raw: unknown): Promise<string> => {
    if (!isHex(raw)) throw new OutsideRefusal('the bytes are no signed transaction');
    return (await engine()).takeOutside(raw);
  };
  /** While the engine is replaced, nobody watches it. */
  const watch = (): void =>
    void engine().then(
      (one) => one.watch(),
      () => {},
    );
  return async (body) => {
    const { data } = bodySchema.safeParse(body);
    if (data === undefined) return refusal(null, { code: invalidRequest, message: 'No request' });
    const calls = Array.isArray(data) ? data : [data];
    if (calls.length > callsMax) {
      const message = `batch size ${calls.length} exceeds limit of ${callsMax}`;
      return refusal(null, { code: invalidRequest, message });
    }
    if (settings.idleBlocks === 'on' && calls.some(asksForHead)) watch();
    if (calls.every(isPlain)) return chain.relay(body);
    const answers: unknown[] = [];
    // One after the other: a transaction may stand on the one before.
    for (const call of calls) answers.push(await answer(call));
    return Array.isArray(data) ? answers : answers[0];
  };
}

/** The node itself answers a read as Arc's do, unless it is about the pool. */
function isPlain({ method, params = [] }: Call): boolean {
  return reads.test(method) && !method.includes('Pending') && !params.includes('pending');
}

/** Accounts have no checksum in many a client. */
function isAccount(value: unknown): value is Hex {
  return typeof value === 'string' && isAddress(value, { strict: false });
}

/** A chain that is asked for its newest block goes on, as a public one does. */
function asksForHead({ method, params = [] }: Call): boolean {
  return method === 'eth_blockNumber' || params.some((param) => param === 'latest');
}

async function result(id: unknown, work: () => Promise<string | null>): Promise<unknown> {
  try {
    return { jsonrpc: '2.0', id, result: await work() };
  } catch (error) {
    if (!(error instanceof OutsideRefusal)) throw error;
    return refusal(id, { code: refusedTransaction, message: error.message });
  }
}

function refusal(id: unknown, error: { code: number; message: string }) {
  return { jsonrpc: '2.0', id, error };
}
