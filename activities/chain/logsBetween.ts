import type { PublicClient } from 'viem';
import { readChain } from '../../src/chain/readChain';
import { beat } from '../beating';

type Range = { fromBlock: bigint; toBlock: bigint };
/** All blocks of a chain since a moment. */
type Span = { rpcUrl: string; sinceMs: number; isWhole?: boolean };
type Query<Log> = (chain: PublicClient, range: Range) => Promise<Log[]>;

/** A range that is not larger than this one is not halved: the search fails. */
const blocksMin = 1_000n;
/** A search ends after so many queries. */
const queriesMax = 1_000;
/** The clocks of the service and of the chain differ by less. */
export const clocksDifferMs = 3_600_000;

/** The first block of a search, by its chain and its moment. A past block does not move. */
const firstBlocks = new Map<string, Promise<bigint>>();

/**
 * Reads the logs of all blocks since a moment, the newest first. Many nodes answer only for some
 * blocks at a time, so a refused range is halved. A search of too many blocks leaves out the oldest
 * ones. With `isWhole` it fails instead, since the lack of a log is to prove something.
 */
export async function logsBetween<Log>(
  { rpcUrl, sinceMs, isWhole = false }: Span,
  query: Query<Log>,
): Promise<Log[]> {
  const first = await blockAt(rpcUrl, sinceMs);
  let toBlock = await readChain(rpcUrl, (chain) => chain.getBlockNumber({ cacheTime: 0 }));
  let size = toBlock - first + 1n;
  const found: Log[] = [];
  for (let queries = 0; toBlock >= first && queries < queriesMax; queries++) {
    beat();
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
  if (isWhole && toBlock >= first) {
    throw new Error(
      `The chain's node answers for too few blocks at a time: ${toBlock - first + 1n} of them are ` +
        'unread. Set CHAIN_RPC_URL to a node that answers for more.',
    );
  }
  return found;
}

/** The first block that may be as late as a moment of the service. */
export function blockAt(rpcUrl: string, sinceMs: number): Promise<bigint> {
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
    beat();
  }
  return low;
}
