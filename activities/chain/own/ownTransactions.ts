import type { Address, PublicClient, Transaction } from 'viem';
import { sameText } from '../../../src/custody/objects/sameMoney';
import { beat } from '../../beating';
import { blockAt } from '../logsBetween';
import { readChain } from '../readChain';

/** Blocks that are read one by one, where the node does not keep the nonces of the past. */
const scannedMax = 20_000n;
const atOnceMax = 20;

type Range = { first: bigint; last: bigint };

/** All transactions that an account has sent itself since a moment, in the blocks of a chain. */
export async function ownTransactions(
  rpcUrl: string,
  account: Address,
  sinceMs: number,
): Promise<Transaction[]> {
  const first = await blockAt(rpcUrl, sinceMs);
  const last = await readChain(rpcUrl, (chain) => chain.getBlockNumber({ cacheTime: 0 }));
  const range = { first, last };
  const blocks = (await blocksByNonce(rpcUrl, account, range)) ?? allOf(range);
  if (blocks.length > scannedMax) {
    throw new Error(
      `The node keeps no nonces of the past, and ${blocks.length} blocks are too many to read one ` +
        `by one for the transactions of ${account}. Set CHAIN_RPC_URL to an archive node.`,
    );
  }
  const found: Transaction[] = [];
  for (let at = 0; at < blocks.length; at += atOnceMax) {
    const some = blocks.slice(at, at + atOnceMax);
    found.push(...(await readChain(rpcUrl, (chain) => sentIn(chain, account, some))));
    beat();
  }
  return found;
}

function allOf({ first, last }: Range): bigint[] {
  const count = last < first ? 0n : last - first + 1n;
  const read = count > scannedMax ? scannedMax + 1n : count;
  return Array.from({ length: Number(read) }, (_, at) => first + BigInt(at));
}

async function sentIn(
  chain: PublicClient,
  account: Address,
  blocks: readonly bigint[],
): Promise<Transaction[]> {
  const read = await Promise.all(
    blocks.map((blockNumber) => chain.getBlock({ blockNumber, includeTransactions: true })),
  );
  return read.flatMap(({ transactions }) =>
    transactions.filter(({ from }) => sameText(from, account)),
  );
}

/**
 * The blocks in which the account's nonce has risen, by halving the range. Undefined where the node
 * does not keep the nonces of the past.
 */
async function blocksByNonce(
  rpcUrl: string,
  account: Address,
  { first, last }: Range,
): Promise<bigint[] | undefined> {
  const nonceAt = (blockNumber: bigint): Promise<number> =>
    readChain(rpcUrl, (chain) => chain.getTransactionCount({ address: account, blockNumber }));
  const found: bigint[] = [];
  const split = async (low: bigint, high: bigint, risen: readonly [number, number]) => {
    if (risen[0] === risen[1]) return;
    if (high - low === 1n) {
      found.push(high);
      return;
    }
    const middle = (low + high) / 2n;
    const nonce = await nonceAt(middle);
    beat();
    await split(low, middle, [risen[0], nonce]);
    await split(middle, high, [nonce, risen[1]]);
  };
  const before = first > 0n ? first - 1n : 0n;
  let risen: readonly [number, number];
  try {
    risen = [await nonceAt(before), await nonceAt(last)];
  } catch {
    return undefined;
  }
  await split(before, last, risen);
  return found;
}

/** The transactions of an account that wait in the node's pool, and how many it does not show. */
export async function pendingOf(
  chain: PublicClient,
  account: Address,
): Promise<{ shown: Transaction[]; hidden: number }> {
  const address = { address: account };
  const [mined, all] = await Promise.all([
    chain.getTransactionCount({ ...address, blockTag: 'latest' }),
    chain.getTransactionCount({ ...address, blockTag: 'pending' }),
  ]);
  if (all <= mined) return { shown: [], hidden: 0 };
  const block = await chain.getBlock({ blockTag: 'pending', includeTransactions: true });
  const shown = block.transactions.filter(
    ({ from, nonce }) => sameText(from, account) && nonce >= mined,
  );
  return { shown, hidden: Math.max(all - mined - shown.length, 0) };
}
