import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { PaperAnswer, PaperCall } from '../chain/paperChain';
import { seeded } from '../seeded';
import { listening } from './listening';

type Faults = {
  seed: number;
  /** The answer of a backend that has the blocks up to a head. */
  answer: (call: PaperCall, head: number) => PaperAnswer;
  /** The newest block of the newest backend. */
  head: () => number;
  /** The number of blocks by which each of its backends lags. */
  lags: readonly number[];
  /** The calls that are accepted in 100 ms. */
  callsMax: number;
  spanMax: number;
  logsMax: number;
  /** No block is older. */
  oldest?: number;
  /** It answers one item of a batch, and calls all others too many. */
  answersOneItem?: boolean;
  /** Each item of a batch is answered by another of its backends. */
  spreadsBatches?: boolean;
};

/** The refusals of a range, as nodes word them. */
const spanFaults = [
  (max: number) => ({ code: -32_012, message: `block range exceeds ${max}` }),
  (max: number) => ({ code: -32_600, message: `eth_getLogs is limited to a ${max} range` }),
  () => ({ code: -32_005, message: 'block range is too large' }),
];
const percent = { busy: 3, item: 3, cut: 2, broken: 2 };

/**
 * A node as people meet it. Several backends behind one URL lag behind each other. Calls, blocks
 * and logs have limits. Connections are lost, and usual clients are refused. All happens by chance,
 * and in the same way for the same seed.
 */
export async function startHostileNode(faults: Faults) {
  const random = seeded(faults.seed);
  const counts = { requests: 0, calls: 0, refused: 0, behind: 0, spans: 0 };
  const busy = { error: { code: -32_011, message: 'request limit reached' } };
  let taken: number[] = [];

  const isTaken = (): boolean => {
    const now = performance.now();
    taken = taken.filter((atMs) => now - atMs < 100);
    if (taken.length >= faults.callsMax) return false;
    taken.push(now);
    return true;
  };
  const answerTo = (call: PaperCall, head: number): PaperAnswer => {
    counts.calls += 1;
    if (!isTaken() || random(100) < percent.item) {
      counts.refused += 1;
      return busy;
    }
    if (head < faults.head()) counts.behind += 1;
    const old = faults.oldest ?? 0;
    const [first] = call.params as { fromBlock?: string; toBlock?: string }[];
    if (call.method === 'eth_getBlockByNumber' && Number(first) < old) return { result: null };
    if (call.method !== 'eth_getLogs' || first === undefined) return faults.answer(call, head);
    if (Number(first.fromBlock) < old) {
      return { error: { code: -32_000, message: 'history has been pruned for this block' } };
    }
    if (Number(first.toBlock) - Number(first.fromBlock) >= faults.spanMax) {
      counts.spans += 1;
      const word = spanFaults[random(spanFaults.length)] ?? (() => busy.error);
      return { error: word(faults.spanMax) };
    }
    const told = faults.answer(call, head);
    const count = 'result' in told && Array.isArray(told.result) ? told.result.length : 0;
    if (count <= faults.logsMax) return told;
    return {
      error: { code: -32_005, message: `query returned more than ${faults.logsMax} results` },
    };
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString());
    counts.requests += 1;
    const agent = request.headers['user-agent'] ?? '';
    const chance = random(100);
    if (/^(node|undici|viem|)$/.test(agent)) response.writeHead(403).end('forbidden');
    else if (chance < percent.cut) request.socket.destroy();
    else if (chance < percent.cut + percent.broken) response.writeHead(502).end('<html>');
    else if (chance < percent.cut + percent.broken + percent.busy) {
      counts.refused += 1;
      response.writeHead(429).end(JSON.stringify({ id: null, ...busy }));
    } else {
      const headOf = () => faults.head() - (faults.lags[random(faults.lags.length)] ?? 0);
      const head = headOf();
      const items = [asked].flat();
      const chosen = faults.answersOneItem ? random(items.length) : undefined;
      const all = items.map((one, at) => {
        if (chosen !== undefined && at !== chosen) return { id: one.id, ...busy };
        return { id: one.id, ...answerTo(one, faults.spreadsBatches ? headOf() : head) };
      });
      response.end(JSON.stringify(Array.isArray(asked) ? all : all[0]));
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  const { url, close } = await listening(server);
  return { url, counts, close };
}
