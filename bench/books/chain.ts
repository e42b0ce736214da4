import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, numberToHex, pad } from 'viem';
import { z } from 'zod';
import {
  chainId,
  type Day,
  type DayTransaction,
  gasPrice,
  gasUsed,
  hex,
  transferUnits,
  usdc,
} from './day';

export const requestForm = z.object({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
const filterForm = z.object({
  fromBlock: z.string(),
  toBlock: z.string(),
  topics: z.array(z.union([z.array(z.string()), z.null()])),
});
const callForm = z.object({ to: z.string(), data: z.string() });

/** Nodes refuse to tell more logs at once. */
const logsMax = 10_000;
const multicall = '0x522faf9a91c41c443c66765030741e4aace147d0';
const coinPerUnit = 10n ** 12n;
const bloom = `0x${'0'.repeat(512)}`;
const [transferTopic] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });

/** Answers a JSON-RPC call from the day, as an archive node would. */
export function answerChain(day: Day, request: z.output<typeof requestForm>): object {
  const { id } = request;
  try {
    return { jsonrpc: '2.0', id, result: resultOf(day, request) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { jsonrpc: '2.0', id, error: { code: -32_005, message } };
  }
}

function resultOf(day: Day, { method, params }: z.output<typeof requestForm>): unknown {
  const [first, second] = params;
  switch (method) {
    case 'eth_chainId':
      return numberToHex(chainId);
    case 'eth_getBlockByNumber':
      return blockOf(day, first === 'finalized' ? day.head : Number(first), second === true);
    case 'eth_getBlockReceipts':
      return day.inBlock(Number(first)).map((n) => receiptOf(day.transaction(n)));
    case 'eth_getLogs':
      return logsOf(day, filterForm.parse(first));
    case 'eth_getBalance':
      return numberToHex(day.balance(String(first).toLowerCase(), Number(second)));
    case 'eth_call':
      return calledOf(day, callForm.parse(first), Number(second));
    default:
      throw new Error(`The stub's chain has no ${method}.`);
  }
}

function calledOf(day: Day, { to, data }: z.output<typeof callForm>, block: number): Hex {
  const holder = `0x${data.slice(-40)}`;
  const coins = to.toLowerCase() === usdc ? day.balance(holder, block) : 0n;
  return encodeAbiParameters([{ type: 'uint256' }], [coins / coinPerUnit]);
}

function placeOf(block: number): { blockHash: Hex; blockNumber: Hex } {
  return { blockHash: `0x${hex(block, 64)}`, blockNumber: numberToHex(block) };
}

function blockOf(day: Day, block: number, isWhole: boolean): object {
  const all = day.inBlock(block).map((n) => day.transaction(n));
  return {
    number: numberToHex(block),
    hash: `0x${hex(block, 64)}`,
    parentHash: `0x${hex(Math.max(0, block - 1), 64)}`,
    timestamp: numberToHex(day.timeMs(block) / 1_000),
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    baseFeePerGas: '0x1',
    size: '0x1',
    miner: usdc,
    extraData: '0x',
    nonce: '0x0',
    logsBloom: bloom,
    uncles: [],
    transactions: isWhole ? all.map(transactionOf) : all.map(({ hash }) => hash),
  };
}

/** As much of a transaction as its receipt tells too. */
function placedIn(one: DayTransaction): object {
  return {
    ...placeOf(one.block),
    transactionIndex: numberToHex(one.indexInBlock),
    from: one.wallet.address,
    to: one.recipients.length > 1 ? multicall : usdc,
  };
}

function transactionOf(one: DayTransaction): object {
  return {
    ...placedIn(one),
    hash: one.hash,
    input: `0xa9059cbb${pad('0x1', { size: 64 }).slice(2).repeat(one.recipients.length)}`,
    type: '0x2',
    nonce: '0x1',
    value: '0x0',
    gas: '0xea60',
    gasPrice: '0x1',
    maxFeePerGas: '0x1',
    maxPriorityFeePerGas: '0x1',
    accessList: [],
    chainId: numberToHex(chainId),
    v: '0x0',
    r: pad('0x1'),
    s: pad('0x1'),
  };
}

function receiptOf(one: DayTransaction): object {
  return {
    ...placedIn(one),
    transactionHash: one.hash,
    status: '0x1',
    type: '0x2',
    contractAddress: null,
    logsBloom: bloom,
    gasUsed: numberToHex(gasUsed),
    cumulativeGasUsed: numberToHex(gasUsed),
    effectiveGasPrice: numberToHex(gasPrice),
    logs: logsIn(one),
  };
}

function logsIn(one: DayTransaction): object[] {
  const first = one.indexInBlock * one.recipients.length;
  return one.recipients.map((to, place) => ({
    ...placeOf(one.block),
    address: usdc,
    topics: [transferTopic, topicOf(one.wallet.address), topicOf(to)],
    data: numberToHex(transferUnits, { size: 32 }),
    transactionHash: one.hash,
    transactionIndex: numberToHex(one.indexInBlock),
    logIndex: numberToHex(first + place),
    removed: false,
  }));
}

function topicOf(address: string): Hex {
  return `0x${'0'.repeat(24)}${address.slice(2)}`;
}

/** The logs of what watched wallets have sent. Nothing comes in, and there are no operations. */
function logsOf(day: Day, { fromBlock, toBlock, topics }: z.output<typeof filterForm>): object[] {
  const [kind, senders] = topics;
  if (!kind?.includes(transferTopic) || senders === undefined || senders === null) return [];
  const wanted = new Set(senders);
  const found: object[] = [];
  for (let block = Number(fromBlock); block <= Number(toBlock); block += 1) {
    for (const n of day.inBlock(block)) {
      const one = day.transaction(n);
      if (wanted.has(topicOf(one.wallet.address))) found.push(...logsIn(one));
    }
    if (found.length > logsMax) throw new Error(`query exceeds max results ${logsMax}`);
  }
  return found;
}
