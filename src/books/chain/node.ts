import {
  BaseError,
  createPublicClient,
  erc20Abi,
  formatTransactionReceipt,
  getAddress,
  type Hash,
  HttpRequestError,
  http,
  isHash,
  numberToHex,
  type PublicClient,
  pad,
  type RpcLog,
  RpcRequestError,
  type Transaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { Money } from '../money';
import { StatementError } from '../statementError';
import { balanceTold, decimalsOf } from './unlisted';

/** A block with all that happened in it. */
export type WholeBlock = {
  number: number;
  timeMs: number;
  transactions: readonly { transaction: Transaction; receipt: TransactionReceipt }[];
};

/** The contracts of logs, or else those of all, and their topics by place. */
export type LogFilter = { address?: readonly string[]; topics: (string[] | null)[] };

/** A node of the chain, read through JSON-RPC. Its errors are StatementErrors. */
export type ChainNode = {
  chainId(): Promise<number>;
  /** The number of the newest block that is final. */
  head(): Promise<number>;
  timeMsOf(block: number): Promise<number>;
  blocks(numbers: readonly number[]): Promise<WholeBlock[]>;
  /** The number of the block of a transaction. Undefined if it is in none. */
  blockOf(txHash: string): Promise<number | undefined>;
  /** The numbers of the blocks that have such logs, between two blocks and with them. */
  blocksWith(filter: LogFilter, range: readonly [number, number]): Promise<number[]>;
  /** True if the node tells logs of a block without being given their contracts. */
  tellsAllLogs(block: number): Promise<boolean>;
  /** The decimals that a contract states. Undefined where it states none. */
  decimals(token: string): Promise<number | undefined>;
  /** The balance of a money. Undefined for one that is not listed and whose contract is silent. */
  balance(money: Money, holder: string, block: number): Promise<bigint | undefined>;
  /** True if the node knows balances of that block. */
  keepsStateOf(block: number): Promise<boolean>;
};

/** The node has answered that a question asks for too much. A smaller one may do. */
export class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

const timeoutMs = 60_000;
/** Arc's nodes accept at most so many calls together (hosted-service facts, Arc testnet). */
const batchSize = 100;

/** Opens the node at a URL, which may hold a key. Errors name only its origin. */
export function openNode(url: string): ChainNode {
  const transport = http(url, { batch: { batchSize, wait: 0 }, timeout: timeoutMs, retryCount: 3 });
  const client = createPublicClient({ transport, cacheTime: 0 });
  const told = <T>(asked: string, reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      throw faultOf(error, { asked, origin: new URL(url).origin });
    });
  return {
    chainId: () => told('the id of its chain', client.getChainId()),
    head: async () => {
      const { number } = await told(
        'its newest final block',
        client.getBlock({ blockTag: 'finalized' }),
      );
      return Number(number);
    },
    timeMsOf: async (block) => {
      const reading = client.getBlock({ blockNumber: BigInt(block) });
      return Number((await told(`block ${block}`, reading)).timestamp) * 1_000;
    },
    blocks: (numbers) =>
      Promise.all(numbers.map((one) => told(`block ${one}`, whole(client, one)))),
    blocksWith: async (filter, [from, to]) => {
      const asked = `logs of blocks ${from} to ${to}`;
      const logs = await told(asked, logsOf(client, filter, [from, to]));
      return logs.map(({ blockNumber }) => Number(blockNumber));
    },
    blockOf: async (hash) => {
      if (!isHash(hash)) return undefined;
      const receipt = await told(`the receipt of ${hash}`, receiptOf(client, hash));
      return receipt && Number(receipt.blockNumber);
    },
    tellsAllLogs: async (block) => {
      const filter = { topics: [null, [pad(noOne, { size: 32 })]] };
      try {
        await logsOf(client, filter, [block, block]);
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw faultOf(error, { asked: `logs of block ${block}`, origin: new URL(url).origin });
      }
    },
    decimals: (token) => told(`decimals of ${token}`, decimalsOf(client, token)),
    balance: (money, holder, block) => {
      const read = money.isListed ? balanceOf : balanceTold;
      return told(`balances of block ${block}`, read(client, { money, holder, block }));
    },
    keepsStateOf: async (block) => {
      try {
        await client.getBalance({ address: noOne, blockNumber: BigInt(block) });
        return true;
      } catch (error) {
        if (isPruned(error)) return false;
        throw faultOf(error, { asked: `balances of block ${block}`, origin: new URL(url).origin });
      }
    },
  };
}

const noOne = '0x0000000000000000000000000000000000000001';

async function whole(client: PublicClient, number: number): Promise<WholeBlock> {
  const blockNumber = BigInt(number);
  const { timestamp, transactions } = await client.getBlock({
    blockNumber,
    includeTransactions: true,
  });
  const timeMs = Number(timestamp) * 1_000;
  if (transactions.length === 0) return { number, timeMs, transactions: [] };
  const raw = await client.request({
    method: 'eth_getBlockReceipts',
    params: [numberToHex(blockNumber)],
  });
  const receipts = new Map(
    (raw ?? []).map((one) => [one.transactionHash, formatTransactionReceipt(one)] as const),
  );
  const both = transactions.map((transaction) => {
    const receipt = receipts.get(transaction.hash);
    if (receipt !== undefined) return { transaction, receipt };
    throw new StatementError(
      `CHAIN_RPC_URL: the node has block ${number}, but no receipt of ${transaction.hash} in it. ` +
        'Give a node that keeps all receipts.',
    );
  });
  return { number, timeMs, transactions: both };
}

async function receiptOf(
  client: PublicClient,
  hash: Hash,
): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

async function logsOf(
  client: PublicClient,
  { address, topics }: LogFilter,
  [from, to]: readonly [number, number],
): Promise<RpcLog[]> {
  type Own = { Method: 'eth_getLogs'; Parameters: unknown[]; ReturnType: RpcLog[] };
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  return client.request<Own>({ method: 'eth_getLogs', params: [{ address, topics, ...range }] });
}

async function balanceOf(
  client: PublicClient,
  { money, holder, block }: { money: Money; holder: string; block: number },
): Promise<bigint> {
  const address = getAddress(holder);
  const blockNumber = BigInt(block);
  if (money.isCoin) return client.getBalance({ address, blockNumber });
  const call = { address: getAddress(money.address), abi: erc20Abi, blockNumber };
  return client.readContract({ ...call, functionName: 'balanceOf', args: [address] });
}

function isHttp(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((one) => one instanceof HttpRequestError) !== null
  );
}

/** The node has understood the question, and does not answer it. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const found = error.walk((one) => one instanceof HttpRequestError);
  const { status = 500 } = found instanceof HttpRequestError ? found : { status: 400 };
  return status >= 400 && status < 500 && status !== 429;
}

/** Words of nodes and providers that do not keep the state of an old block. */
const pruned = /prun|missing trie node|\bstate\b|\barchive\b|BlockOutOfRange/i;

/** A node that is busy, or away for a moment, may keep the state after all. */
function isPruned(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const answer = error.walk((one) => one instanceof RpcRequestError);
  return answer instanceof RpcRequestError && pruned.test(answer.details);
}

const tooMuch = /too (many|large)|limit|exceed|range/i;

function faultOf(error: unknown, { asked, origin }: { asked: string; origin: string }): unknown {
  if (!(error instanceof BaseError)) return error;
  const details = `${error.shortMessage} ${error.details}`.replace(/\s+/g, ' ').slice(0, 200);
  if (asked.startsWith('logs') && !isHttp(error) && tooMuch.test(details)) {
    return new TooMuchError(details);
  }
  return new StatementError(
    `CHAIN_RPC_URL: the node at ${origin} does not tell ${asked}: ${details.replace(/\.$/, '')}. ` +
      'Give a node that has it, or try again.',
  );
}
