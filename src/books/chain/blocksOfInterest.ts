import { encodeEventTopics, pad, toHex } from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';
import type { WatchedWallets } from '../movement';
import type { ChainNode } from './node';
import { topicsOfMoves } from './tokenLogs';

/** Number of wallets that one question names. */
const walletsAtOnce = 200;

const [operation = ''] = encodeEventTopics({
  abi: entryPoint06Abi,
  eventName: 'UserOperationEvent',
});

/** The wallets whose logs are looked for, and how widely. */
export type Looking = {
  node: ChainNode;
  watched: WatchedWallets;
  /** The contracts whose logs are asked for. Undefined: all contracts. */
  contracts?: readonly string[] | undefined;
  /** False where items that come in by ERC-1155 are not looked for. */
  arrivals?: boolean | undefined;
};

/**
 * The blocks in which a watched wallet has moved a token, or has made a user operation. The topics
 * of their logs tell. Also counts those logs. Without contracts, those of every contract count.
 */
export async function blocksOfInterest(
  asked: Looking,
  range: readonly [number, number],
): Promise<{ numbers: number[]; logs: number }> {
  const { node, watched, contracts, arrivals = true } = asked;
  const named = contracts && { address: [...new Set([...contracts, entryPoint06Address])] };
  const all = [...watched].map((wallet) => pad(toHex(BigInt(wallet)), { size: 32 }));
  const found = new Set<number>();
  let logs = 0;
  for (let first = 0; first < all.length; first += walletsAtOnce) {
    const some = all.slice(first, first + walletsAtOnce);
    const topics = topicsOfMoves(some, { others: [operation], arrivals });
    const filters = topics.map((one) => ({ topics: one, ...named }));
    const numbers = await Promise.all(filters.map((filter) => node.blocksWith(filter, range)));
    for (const number of numbers.flat()) found.add(number);
    logs += numbers.flat().length;
  }
  return { numbers: [...found].sort((one, other) => one - other), logs };
}
