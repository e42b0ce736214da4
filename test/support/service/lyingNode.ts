import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const node: LyingNode = {
    url: `http://127.0.0.1:${port}`,
    dropsLogs: false,
    reverted: new Map(),
    pending: new Map(),
    before: async () => undefined,
    close: () => server.close(),
  };

  const pass = async (call: Call): Promise<unknown> => {
    const message = await node.before(call);
    if (message !== undefined) return { ...call, error: { code: -32_000, message } };
    const [hash] = call.params ?? [];
    const waits = node.pending.get(String(hash));
    if (waits !== undefined) {
      const result = call.method === 'eth_getTransactionByHash' ? waits : null;
      return { ...call, result };
    }
    const other = node.reverted.get(String(hash));
    const params = other === undefined ? call.params : [other];
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ ...call, params });
    const told = await fetch(rpcUrl, { method: 'POST', headers, body });
    const answer = (await told.json()) as { result?: Partial<Receipt> & { hash?: string } };
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
