import { type Hex, keccak256, numberToHex, pad, toEventSelector, toHex, zeroHash } from 'viem';

/** A call of JSON-RPC, and what answers it. */
export type PaperCall = { method: string; params: readonly unknown[] };
export type PaperAnswer = { result: unknown } | { error: { code: number; message: string } };

/** A transfer of a token in a block of its own. */
export type PaperMove = { block: number; from: Hex; to: Hex; units: bigint };

type LogFilter = { fromBlock: Hex; toBlock: Hex; address?: Hex | Hex[]; topics: Asked[] };
type Asked = Hex | Hex[] | null | undefined;

const transfer = toEventSelector('Transfer(address,address,uint256)');
const blockMs = 500;

/** A chain that is reckoned, not kept: millions of blocks, and a transfer in a few of them. */
export function paperChain(given: { token: Hex; moves: readonly PaperMove[]; startMs?: number }) {
  const { token, moves, startMs = Date.UTC(2026, 9, 1) } = given;
  const byBlock = new Map(moves.map((move) => [move.block, move]));
  const timeMsOf = (block: number): number => startMs + block * blockMs;
  const hashOf = (block: number): Hex => keccak256(toHex(`transaction of ${block}`));
  const blockOfHash = new Map(moves.map(({ block }) => [hashOf(block), block]));

  const logOf = ({ block, from, to, units }: PaperMove) => ({
    address: token,
    topics: [transfer, pad(from), pad(to)],
    data: pad(toHex(units)),
    blockNumber: numberToHex(block),
    blockHash: keccak256(toHex(block)),
    transactionHash: hashOf(block),
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  });
  const transactionOf = (move: PaperMove) => ({
    hash: hashOf(move.block),
    from: move.from,
    to: token,
    input: '0x',
    value: '0x0',
    nonce: '0x0',
    gas: '0x5208',
    gasPrice: '0x0',
    type: '0x0',
    transactionIndex: '0x0',
    blockNumber: numberToHex(move.block),
    blockHash: keccak256(toHex(move.block)),
  });
  const receiptOf = (move: PaperMove) => ({
    ...transactionOf(move),
    transactionHash: hashOf(move.block),
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x0',
    cumulativeGasUsed: '0x5208',
    contractAddress: null,
    logsBloom: '0x',
    logs: [logOf(move)],
  });
  const blockAt = (block: number, isWhole: boolean) => {
    const move = byBlock.get(block);
    const own = move === undefined ? [] : [isWhole ? transactionOf(move) : hashOf(block)];
    const hash = keccak256(toHex(block));
    const time = numberToHex(Math.floor(timeMsOf(block) / 1_000));
    const number = numberToHex(block);
    return { number, hash, timestamp: time, transactions: own, parentHash: zeroHash };
  };
  const balanceOf = (holder: Hex, block: number): bigint =>
    moves
      .filter((move) => move.block <= block)
      .reduce((sum, { from, to, units }) => {
        const out = same(from, holder) ? units : 0n;
        return sum + (same(to, holder) ? units : 0n) - out;
      }, 0n);

  /** The answer of a backend that has the blocks up to a head. */
  const answer = ({ method, params }: PaperCall, head: number): PaperAnswer => {
    const [first, second] = params as [never, never];
    const numberOf = (tag: string): number => (tag.startsWith('0x') ? Number(tag) : head);
    switch (method) {
      case 'eth_chainId':
        return { result: numberToHex(5_042_002) };
      case 'eth_blockNumber':
        return { result: numberToHex(head) };
      case 'eth_getBlockByNumber': {
        const block = numberOf(first);
        return { result: block > head ? null : blockAt(block, second) };
      }
      case 'eth_getBlockReceipts': {
        const move = byBlock.get(numberOf(first));
        return { result: numberOf(first) > head ? null : move ? [receiptOf(move)] : [] };
      }
      case 'eth_getTransactionByHash':
      case 'eth_getTransactionReceipt': {
        const block = blockOfHash.get(first) ?? Number.POSITIVE_INFINITY;
        const move = byBlock.get(block);
        if (move === undefined || block > head) return { result: null };
        return { result: method.endsWith('Hash') ? transactionOf(move) : receiptOf(move) };
      }
      case 'eth_getLogs': {
        const filter: LogFilter = first;
        const [from, to] = [numberOf(filter.fromBlock), Math.min(head, numberOf(filter.toBlock))];
        const inside = moves.filter(({ block }) => block >= from && block <= to).map(logOf);
        return { result: inside.filter((log) => fits(log, filter)) };
      }
      case 'eth_getBalance':
      case 'eth_getCode':
      case 'eth_call': {
        if (numberOf(second) > head) return { error: { code: -32_014, message: notThere } };
        if (method === 'eth_getBalance') return { result: '0x0' };
        if (method === 'eth_getCode') return { result: '0x' };
        const { to, data }: { to: Hex; data: Hex } = first;
        const holder: Hex = `0x${data.slice(-40)}`;
        const units = same(to, token) ? balanceOf(holder, numberOf(second)) : 0n;
        return { result: pad(toHex(units)) };
      }
      default:
        return { error: { code: -32_601, message: `${method} is not there` } };
    }
  };
  return { answer, hashOf, timeMsOf };
}

const notThere = 'requested data not available';

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function fits(log: { address: Hex; topics: readonly Hex[] }, filter: LogFilter): boolean {
  const addresses = filter.address === undefined ? [log.address] : [filter.address].flat();
  if (!addresses.some((one) => same(one, log.address))) return false;
  return filter.topics.every((asked, at) => {
    if (asked === null || asked === undefined) return true;
    return [asked].flat().some((one) => same(one, log.topics[at] ?? ''));
  });
}
