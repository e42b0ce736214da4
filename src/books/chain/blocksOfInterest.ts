import { encodeEventTopics, pad, toHex } from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';
import type { Watched } from '../movement';
import type { ChainNode } from './node';
import { topicsOfMoves } from './tokenLogs';

/** Number of wallets that one question names. */
const walletsAtOnce = 200;

const [operation = ''] = encodeEventTopics({
  abi: entryPoint06Abi,
  eventName: 'UserOperationEvent',
});

/**
 * The blocks in which a watched wallet has moved a token, or has made a user operation. The topics
 * of their logs tell. Also counts those logs. Without contracts, those of every contract count.
 */
export async function blocksOfInterest(
  asked: { node: ChainNode; watched: Watched; contracts?: readonly string[] | undefined },
  range: readonly [number, number],
): Promise<{ numbers: number[]; logs: number }> {
  const { node, watched, contracts } = asked;
  const all = [...watched].map((wallet) => pad(toHex(BigInt(wallet)), { size: 32 }));
  const found = new Set<number>();
  let logs = 0;
  for (let first = 0; first < all.length; first += walletsAtOnce) {
    const some = all.slice(first, first + walletsAtOnce);
    const filters = [
      ...topicsOfMoves(some).map((topics) => ({
        topics,
        ...(contracts && { address: contracts }),
      })),
      { address: [entryPoint06Address], topics: [[operation], null, some] },
    ];
    const numbers = await Promise.all(filters.map((filter) => node.blocksWith(filter, range)));
    for (const number of numbers.flat()) found.add(number);
    logs += numbers.flat().length;
  }
  return { numbers: [...found].sort((one, other) => one - other), logs };
}
