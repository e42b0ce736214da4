import {
  BaseError,
  BlockNotFoundError,
  erc20Abi,
  formatTransactionReceipt,
  getAddress,
  type Hash,
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
import { type Node, UnansweredError } from '../../chain/node/calling';
import type { Kept } from '../../chain/node/kept';
import { nodeAt } from '../../chain/node/node';
import { clientOf } from '../../chain/readChain';
import type { Money } from '../money';
import { StatementError } from '../statementError';
import { nodeFault } from './nodeFault';
import { isRefusal } from './refusal';
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
  /** True if the node has the block, and tells its logs. */
  serves(block: number): Promise<boolean>;
  /** The end of a window, so that the node's parts of logs fit into it. */
  endOfWindow(low: number, high: number): number;
  /** True if so many questions for the logs of so many blocks take no more than ten minutes. */
  hasTimeFor(questions: number, blocks: number): Promise<boolean>;
  /** True if the node knows balances of that block. */
  keepsStateOf(block: number): Promise<boolean>;
};

/** A call that the node refuses as one too many is retried for this long. */
const patienceUsualMs = 180_000;
const triesAway = 3;

/** Opens the node at a URL, which may hold a key. Errors name only its origin. */
export function openNode(url: string, given: Opening = {}): ChainNode {
  return booksOf(nodeAt(url), given);
}

/** Places are kept in `kept`, so that a reading that was stopped goes on. */
type Opening = { kept?: Kept | undefined; patienceMs?: number };

/** Reads books from a node. Its calls go behind those of orders. */
export function booksOf(node: Node, { kept, patienceMs = patienceUsualMs }: Opening): ChainNode {
  const { origin } = node;
  const client = clientOf(node, { patienceMs, triesAway, isLater: true, kept });
  // A node drops old states and blocks. So what it can do is asked again by a reading that goes on.
  const probe = clientOf(node, { patienceMs, triesAway, isLater: true });
  const told = <T>(asked: string, reading: Promise<T>): Promise<T> =>
    reading.catch((error: unknown) => {
      throw nodeFault(error, { asked, origin });
    });
  return {
    chainId: () => told('the id of its chain', client.getChainId()),
    head: async () => {
      const reading = client.getBlock({ blockTag: 'finalized' });
      return Number((await told('its newest final block', reading)).number);
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
      try {
        await logsOf(probe, ofAll, [block, block]);
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw nodeFault(error, { asked: `logs of block ${block}`, origin });
      }
    },
    decimals: (token) => told(`decimals of ${token}`, decimalsOf(client, token)),
    balance: (money, holder, block) => {
      const read = money.isListed ? balanceOf : balanceTold;
      return told(`balances of block ${block}`, read(client, { money, holder, block }));
    },
    serves: async (block) => {
      try {
        await probe.getBlock({ blockNumber: BigInt(block) });
        await logsOf(probe, ofNothing, [block, block]);
        return true;
      } catch (error) {
        if (isPruned(error) || error instanceof BlockNotFoundError) return false;
        throw nodeFault(error, { asked: `block ${block}`, origin });
      }
    },
    endOfWindow: (low, high) => {
      const size = node.span.blocks();
      const end = Math.floor((high + 1) / size) * size - 1;
      return end > low ? end : high;
    },
    hasTimeFor: async (questions, blocks) => {
      // A reading that goes on keeps to what was decided when it began.
      const decision = { method: 'hasTimeFor', params: [numberToHex(blocks), questions] };
      const known = await kept?.get(decision);
      if (known !== undefined) return known === true;
      const calls = (questions * blocks) / node.span.blocks();
      const hasTime = calls / (node.pace.perSecond() ?? Number.POSITIVE_INFINITY) <= enoughS;
      await kept?.set(decision, hasTime);
      return hasTime;
    },
    keepsStateOf: async (block) => {
      try {
        await probe.getBalance({ address: noOne, blockNumber: BigInt(block) });
        return true;
      } catch (error) {
        if (isPruned(error)) return false;
        throw nodeFault(error, { asked: `balances of block ${block}`, origin });
      }
    },
  };
}

const enoughS = 600;
const noOne = '0x0000000000000000000000000000000000000001';
const ofAll: LogFilter = { topics: [null, [pad(noOne, { size: 32 })]] };
const ofNothing: LogFilter = { ...ofAll, address: [noOne] };

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

/** Words of nodes and providers that do not keep the state of an old block. */
const pruned = /prun|missing trie node|\bstate\b|\barchive\b|BlockOutOfRange/i;

/** A node that is busy, behind, or away for a moment, may keep the state after all. */
function isPruned(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  if (error.walk((one) => one instanceof UnansweredError) !== null) return false;
  const answer = error.walk((one) => one instanceof RpcRequestError);
  return answer instanceof RpcRequestError && pruned.test(answer.details);
}
