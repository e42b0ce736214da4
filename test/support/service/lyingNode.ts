import { createServer } from 'node:http';
import { listening } from './listening';

type Call = { method: string; params: unknown[] };
type Receipt = { transactionHash: string; status: string; logs: object[] };

/** Stands between a worker and a node of the chain, and can change what the node says. */
export type LyingNode = {
  url: string;
  /** Leaves out the last log of each receipt. */
  dropsLogs: boolean;
  /** Transactions that the chain does not have: each is another one, but was reverted. */
  reverted: Map<string, string>;
  /** Transactions that wait in its pool, by their hashes. */
  pending: Map<string, object>;
  /** Shows no pending block, as Arc's nodes do. It counts its pool all the same. */
  hidesPool: boolean;
  /** The newest block that it shows, although the chain goes on. */
  standsAt?: bigint | undefined;
  /** Called before each answer. Its words are the error of the answer. */
  before: (call: Call) => Promise<string | undefined>;
  close(): void;
};

/** A real HTTP server on a free port in front of a node. */
export async function startLyingNode(rpcUrl: string): Promise<LyingNode> {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = await (Array.isArray(asked)
      ? Promise.all(asked.map((one) => pass(one)))
      : pass(asked));
    response.end(JSON.stringify(answer));
  });
  const { url, close } = await listening(server);
  const node: LyingNode = {
    url,
    dropsLogs: false,
    reverted: new Map(),
    pending: new Map(),
    hidesPool: false,
    before: async () => undefined,
    close,
  };

  const pass = async (call: Call): Promise<unknown> => {
    const message = await node.before(call);
    if (message !== undefined) return { ...call, error: { code: -32_000, message } };
    const [hash] = call.params ?? [];
    const isOfPool = call.method === 'eth_getBlockByNumber' && hash === 'pending';
    if (isOfPool && node.hidesPool) return { ...call, result: null };
    const waits = node.pending.get(String(hash));
    if (waits !== undefined) {
      const result = call.method === 'eth_getTransactionByHash' ? waits : null;
      return { ...call, result };
    }
    const other = node.reverted.get(String(hash));
    const params = other === undefined ? call.params : [other];
    const answer =
      node.standsAt === undefined
        ? await askNode(rpcUrl, { ...call, params })
        : await standing(rpcUrl, { ...call, params }, node.standsAt);
    const { result } = answer;
    const isReceipt = call.method === 'eth_getTransactionReceipt';
    if (result && isReceipt && node.dropsLogs) result.logs?.pop();
    if (result && other !== undefined) {
      const name = String(hash);
      const reverted = { transactionHash: name, status: '0x0', logs: [] };
      Object.assign(result, isReceipt ? reverted : { hash: name });
    }
    return answer;
  };
  return node;
}

type Answer = { result?: (Partial<Receipt> & { hash?: string; blockNumber?: string }) | null };

async function askNode(rpcUrl: string, call: Call): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const told = await fetch(rpcUrl, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id: 1, jsonrpc: '2.0', ...call }),
  });
  return (await told.json()) as Answer;
}

/** An answer of a node that has not seen the blocks after one of them, and has an empty pool. */
async function standing(rpcUrl: string, call: Call, newest: bigint): Promise<object & Answer> {
  const last = `0x${newest.toString(16)}`;
  const isTag = (one: unknown) => ['latest', 'pending', 'safe', 'finalized'].includes(String(one));
  const params = (call.params ?? []).map((one) => (isTag(one) ? last : one));
  if (call.method === 'eth_blockNumber') return { ...call, result: last as never };
  const [range] = params as { fromBlock?: string; toBlock?: string }[];
  if (call.method === 'eth_getLogs' && range !== undefined) {
    if (BigInt(range.fromBlock ?? 0) > newest) return { ...call, result: [] as never };
    const isLater = isTag(range.toBlock) || BigInt(range.toBlock ?? last) > newest;
    return askNode(rpcUrl, { ...call, params: [{ ...range, ...(isLater && { toBlock: last }) }] });
  }
  if (call.method === 'eth_getTransactionCount' && params[1] === last) {
    return { ...call, result: (await nonceAt(rpcUrl, String(params[0]), newest)) as never };
  }
  const isOfBlock = call.method === 'eth_getBlockByNumber';
  if (isOfBlock && BigInt(String(params[0])) > newest) return { ...call, result: null };
  const answer = await askNode(rpcUrl, { ...call, params });
  const { blockNumber } = answer.result ?? {};
  const isSeen = blockNumber == null || BigInt(blockNumber) <= newest;
  return isSeen ? answer : { ...answer, result: null };
}

/** The number of transactions that an account had sent until a block. The chain keeps few states. */
async function nonceAt(rpcUrl: string, account: string, block: bigint): Promise<string> {
  const ask = async (method: string, ...params: unknown[]) =>
    (await askNode(rpcUrl, { method, params })).result as never;
  const end = BigInt(await ask('eth_blockNumber'));
  let nonce = BigInt(await ask('eth_getTransactionCount', account, 'latest'));
  for (let at = block + 1n; at <= end; at += 1n) {
    const { transactions }: { transactions: { from: string }[] } = await ask(
      'eth_getBlockByNumber',
      `0x${at.toString(16)}`,
      true,
    );
    const own = transactions.filter(({ from }) => from.toLowerCase() === account.toLowerCase());
    nonce -= BigInt(own.length);
  }
  return `0x${nonce.toString(16)}`;
}
