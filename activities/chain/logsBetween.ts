import { heartbeat } from '@temporalio/activity';
import type { PublicClient } from 'viem';
import { readChain } from './readChain';

type Range = { fromBlock: bigint; toBlock: bigint };
type Query<Log> = (chain: PublicClient, range: Range) => Promise<Log[]>;

/** A range that is not larger than this one is not halved: the search fails. */
const blocksMin = 1_000n;
/** A search ends after so many queries. Then the oldest blocks stay unread. */
const queriesMax = 1_000;
/** The clocks of the service and of the chain differ by less. */
const clocksDifferMs = 3_600_000;

/** The first block of a search, by its chain and its moment. A past block does not move. */
const firstBlocks = new Map<string, Promise<bigint>>();

/**
 * Reads the logs of all blocks since a moment, the newest first. Many nodes answer only for some
 * blocks at a time, so a refused range is halved.
 */
export async function logsBetween<Log>(
  rpcUrl: string,
  sinceMs: number,
  query: Query<Log>,
): Promise<Log[]> {
  const first = await firstBlock(rpcUrl, sinceMs);
  let toBlock = await readChain(rpcUrl, (chain) => chain.getBlockNumber({ cacheTime: 0 }));
  let size = toBlock - first + 1n;
  const found: Log[] = [];
  for (let queries = 0; toBlock >= first && queries < queriesMax; queries++) {
    heartbeat();
    const lowest = toBlock - size + 1n;
    const fromBlock = lowest > first ? lowest : first;
    try {
      const range = { fromBlock, toBlock };
      found.push(...(await readChain(rpcUrl, (chain) => query(chain, range))));
      toBlock = fromBlock - 1n;
    } catch (error) {
      if (size <= blocksMin) throw error;
      size /= 2n;
    }
  }
  return found;
}

function firstBlock(rpcUrl: string, sinceMs: number): Promise<bigint> {
  const key = `${rpcUrl} ${sinceMs}`;
  const known = firstBlocks.get(key);
  if (known !== undefined) return known;
  const asked = readChain(rpcUrl, (chain) => blockBefore(chain, sinceMs - clocksDifferMs));
  firstBlocks.set(key, asked);
  asked.catch(() => firstBlocks.delete(key));
  return asked;
}

/** The last block before a moment, or the first one of the chain. */
async function blockBefore(chain: PublicClient, atMs: number): Promise<bigint> {
  let low = 0n;
  let high = await chain.getBlockNumber({ cacheTime: 0 });
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const { timestamp } = await chain.getBlock({ blockNumber: middle });
    if (Number(timestamp) * 1_000 < atMs) low = middle;
    else high = middle - 1n;
    heartbeat();
  }
  return low;
}
