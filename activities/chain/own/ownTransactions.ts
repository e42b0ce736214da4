import { type Address, BlockNotFoundError, type PublicClient, type Transaction } from 'viem';
import { isTrouble, readChain } from '../../../src/chain/readChain';
import { sameText } from '../../../src/custody/objects/sameText';
import { beat } from '../../beating';
import { blockAt } from '../logsBetween';

/** Blocks that one attempt reads one by one, where the node keeps no nonces of the past. */
const scannedMax = 20_000n;
const atOnceMax = 20;
/** A chain takes back no block that is this deep. */
const buriedBlocks = 20n;
/** Accounts whose searches keep their place. The search of the oldest one begins again. */
const scansMax = 1_000;

type Range = { first: bigint; last: bigint };
/** An account's transactions in the blocks from `first` on and before `next`. */
type Scan = { first: bigint; next: bigint; found: readonly Transaction[] };

/** The search of each account on a chain. All of its orders share it. */
const scans = new Map<string, Scan>();

/**
 * All transactions that an account has sent itself since a moment, in the blocks of a chain. Throws
 * while blocks are left that have to be read one by one. The next call goes on from there.
 */
export async function ownTransactions(
  rpcUrl: string,
  account: Address,
  { sinceMs, blocksMax = scannedMax }: { sinceMs: number; blocksMax?: bigint },
): Promise<Transaction[]> {
  const first = await blockAt(rpcUrl, sinceMs);
  const last = await readChain(rpcUrl, (chain) => chain.getBlockNumber({ cacheTime: 0 }));
  const blocks = await blocksByNonce(rpcUrl, account, { first, last });
  if (blocks === undefined) return scan(rpcUrl, account, { first, last, blocksMax });
  const found: Transaction[] = [];
  for (let at = 0; at < blocks.length; at += atOnceMax) {
    const some = blocks.slice(at, at + atOnceMax);
    found.push(...(await readChain(rpcUrl, (chain) => sentIn(chain, account, some))));
    beat();
  }
  return found;
}

/** Reads block after block. What goes further back than the account's search begins another. */
async function scan(
  rpcUrl: string,
  account: Address,
  { first, last, blocksMax }: Range & { blocksMax: bigint },
): Promise<Transaction[]> {
  const name = `${rpcUrl} ${account.toLowerCase()}`;
  const known = scans.get(name);
  let now: Scan =
    known !== undefined && known.first <= first ? known : { first, next: first, found: [] };
  for (let read = 0n; now.next <= last; read += BigInt(atOnceMax)) {
    if (read >= blocksMax) throw tooMany(account, last - now.next + 1n);
    const some = blocksFrom({ first: now.next, last });
    const sent = await readChain(rpcUrl, (chain) => sentIn(chain, account, some));
    beat();
    now = {
      first: now.first,
      next: now.next + BigInt(some.length),
      found: [...now.found, ...sent],
    };
    if (now.next + buriedBlocks <= last) keep(name, now);
  }
  return now.found.filter(({ blockNumber }) => (blockNumber ?? 0n) >= first);
}

/** Keeps the place of a search, unless another one has come further or began further back. */
function keep(name: string, place: Scan): void {
  const known = scans.get(name);
  const isLess =
    known !== undefined &&
    (known.first < place.first || (known.first === place.first && known.next >= place.next));
  if (isLess) return;
  const [oldest] = scans.keys();
  if (scans.size >= scansMax && oldest !== undefined && known === undefined) scans.delete(oldest);
  scans.set(name, place);
}

function blocksFrom({ first, last }: Range): bigint[] {
  const left = last - first + 1n;
  const count = left < BigInt(atOnceMax) ? Number(left) : atOnceMax;
  return Array.from({ length: count }, (_, at) => first + BigInt(at));
}

function tooMany(account: Address, left: bigint): Error {
  return new Error(
    `The node keeps no nonces of the past, so that the blocks are read one by one for the ` +
      `transactions of ${account}. ${left} of them are left, and the search goes on by itself. ` +
      'It is faster with CHAIN_RPC_URL of an archive node.',
  );
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
  } catch (error) {
    if (isTrouble(error)) throw error;
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
  const shown = (await shownInPool(chain)).filter(
    ({ from, nonce }) => sameText(from, account) && nonce >= mined,
  );
  return { shown, hidden: Math.max(all - mined - shown.length, 0) };
}

/** Arc's nodes count their pool, and show no pending block. */
async function shownInPool(chain: PublicClient): Promise<readonly Transaction[]> {
  try {
    return (await chain.getBlock({ blockTag: 'pending', includeTransactions: true })).transactions;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return [];
    throw error;
  }
}
