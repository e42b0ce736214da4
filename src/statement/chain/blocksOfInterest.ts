import { encodeEventTopics, erc20Abi, pad, toHex } from 'viem';
import { entryPoint06Abi, entryPoint06Address } from 'viem/account-abstraction';
import { coinLogger } from '../../../activities/chain/movements';
import type { Monies } from '../money';
import type { Watched } from './blockMovements';
import type { ChainNode } from './node';

/** Number of wallets that one question names. */
const walletsAtOnce = 200;

const [transfer = ''] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
const [operation = ''] = encodeEventTopics({
  abi: entryPoint06Abi,
  eventName: 'UserOperationEvent',
});

/**
 * The blocks in which a watched wallet has moved a listed token, or has made a user operation. The
 * topics of their logs tell. Also counts those logs.
 */
export async function blocksOfInterest(
  { node, monies, watched }: { node: ChainNode; monies: Monies; watched: Watched },
  range: readonly [number, number],
): Promise<{ numbers: number[]; logs: number }> {
  const tokens = monies.all.map(({ address }) => address).filter((address) => address !== '');
  const moving = [...tokens, coinLogger];
  const all = [...watched].map((wallet) => pad(toHex(BigInt(wallet)), { size: 32 }));
  const found = new Set<number>();
  let logs = 0;
  for (let first = 0; first < all.length; first += walletsAtOnce) {
    const some = all.slice(first, first + walletsAtOnce);
    const filters = [
      { address: moving, topics: [[transfer], some] },
      { address: moving, topics: [[transfer], null, some] },
      { address: [entryPoint06Address], topics: [[operation], null, some] },
    ];
    const numbers = await Promise.all(filters.map((filter) => node.blocksWith(filter, range)));
    for (const number of numbers.flat()) found.add(number);
    logs += numbers.flat().length;
  }
  return { numbers: [...found].sort((one, other) => one - other), logs };
}
