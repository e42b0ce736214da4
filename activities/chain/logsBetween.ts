import type { PublicClient } from 'viem';
import { readChain } from '../../src/chain/readChain';
import { remembering } from '../../src/custody/sharing';
import { beat } from '../beating';

type Range = { fromBlock: bigint; toBlock: bigint };
/** All blocks of a chain since a moment. */
type Span = { rpcUrl: string; sinceMs: number };
type Query<Log> = (chain: PublicClient, range: Range) => Promise<Log[]>;

/** The clocks of the service and of the chain differ by less. */
export const clocksDifferMs = 3_600_000;

/** The first blocks of searches, by their chain and moment. A past block does not move. */
const firstBlocks = remembering<bigint>({ ms: 3_600_000, most: 1_000 });

/**
 * Reads the logs of all blocks since a moment, up to one head. The node's reader asks for as many
 * blocks at a time as the node takes. A search that was stopped goes on with the next one.
 */
export async function logsBetween<Log>(
  { rpcUrl, sinceMs }: Span,
  query: Query<Log>,
): Promise<Log[]> {
  const fromBlock = await blockAt(rpcUrl, sinceMs);
  return readChain(rpcUrl, async (chain) => {
    const toBlock = await chain.getBlockNumber();
    return toBlock < fromBlock ? [] : query(chain, { fromBlock, toBlock });
  });
}

/** The first block that may be as late as a moment of the service. */
export function blockAt(rpcUrl: string, sinceMs: number): Promise<bigint> {
  return firstBlocks(`${rpcUrl} ${sinceMs}`, () =>
    readChain(rpcUrl, (chain) => blockBefore(chain, sinceMs - clocksDifferMs)),
  );
}

/** The last block before a moment, or the first one of the chain. */
async function blockBefore(chain: PublicClient, atMs: number): Promise<bigint> {
  let low = 0n;
  let high = await chain.getBlockNumber();
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const { timestamp } = await chain.getBlock({ blockNumber: middle });
    if (Number(timestamp) * 1_000 < atMs) low = middle;
    else high = middle - 1n;
    beat();
  }
  return low;
}
