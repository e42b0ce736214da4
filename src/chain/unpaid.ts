import {
  BaseError,
  type Hash,
  type Hex,
  HttpRequestError,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import { paymentData } from '../custody/batch';
import type { BatchEffect } from './batchEffect';
import { hex, revertOf } from './readChain';
import { type RawReceipt, receiptsRoot } from './receiptsRoot';

/** A payment of a batch that has failed alone, and the reason where the chain tells one. */
export type Unpaid = { at: number; reason?: string };

/** Each reason is a call of its own. */
const askedMax = 20;

/**
 * Proves that payments failed alone. The lack of a log counts once the block's header vouches for
 * all of its logs. Returns a fault as a sentence if the node's answer does not bear that out.
 */
export async function proveUnpaid(
  chain: PublicClient,
  receipt: TransactionReceipt,
  { effect, places }: { effect: BatchEffect; places: readonly number[] },
): Promise<{ unpaid: Unpaid[] } | { fault: string }> {
  const fault = await logsFault(chain, receipt);
  if (fault !== undefined) return { fault };
  const asked = places.slice(0, askedMax);
  const told = await Promise.all(asked.map((at) => reasonOf(chain, receipt, { effect, at })));
  const unpaid = places.map((at, index) => {
    const reason = told[index];
    return reason === undefined ? { at } : { at, reason };
  });
  return { unpaid };
}

/** The receipts of a block, and whether its header vouches for all of their logs. */
export type BlockLogs = {
  number: bigint | null;
  isWhole: boolean;
  receipts: readonly (RawReceipt & { transactionHash: Hash })[];
};

/** The difference of a receipt from its block's header. */
async function logsFault(
  chain: PublicClient,
  receipt: TransactionReceipt,
): Promise<string | undefined> {
  return logsFaultIn(await blockLogs(chain, receipt.blockHash), receipt);
}

/** Reads the receipts of a block, and adds them up to the root in its header. */
export async function blockLogs(chain: PublicClient, blockHash: Hash): Promise<BlockLogs> {
  const [block, receipts] = await Promise.all([
    chain.getBlock({ blockHash }),
    blockReceipts(chain, blockHash),
  ]);
  const isWhole = block.receiptsRoot === receiptsRoot(receipts);
  return { number: block.number, isWhole, receipts };
}

/** The difference of a receipt from those of its block. */
export function logsFaultIn(
  { number, isWhole, receipts }: BlockLogs,
  { transactionHash, logs, status }: TransactionReceipt,
): string | undefined {
  const of = `the receipts of block ${number}`;
  if (!isWhole) {
    return `${of} do not add up to the root in its header, so that a log may be missing`;
  }
  const own = receipts.find((one) => one.transactionHash === transactionHash);
  const isSame = own !== undefined && textOf(own.logs) === textOf(logs);
  if (isSame && (BigInt(own.status) === 1n) === (status === 'success')) return undefined;
  return `${of} tell another outcome of ${transactionHash}`;
}

function textOf(logs: RawReceipt['logs']): string {
  return JSON.stringify(logs.map(({ address, topics, data }) => [address, topics, data]));
}

async function blockReceipts(
  chain: PublicClient,
  hash: Hash,
): Promise<(RawReceipt & { transactionHash: Hash })[]> {
  type Own = { Method: 'eth_getBlockReceipts'; Parameters: [Hash]; ReturnType: unknown };
  const receipts = await chain.request<Own>({ method: 'eth_getBlockReceipts', params: [hash] });
  if (!Array.isArray(receipts)) throw new Error(`The node has no receipts of block ${hash}.`);
  return receipts;
}

/**
 * The reason why the same payment is refused at that block. It may have passed since, and a node
 * may have forgotten the balances of that block.
 */
async function reasonOf(
  chain: PublicClient,
  { blockNumber }: TransactionReceipt,
  { effect, at }: { effect: BatchEffect; at: number },
): Promise<string | undefined> {
  const payment = effect.payments[at];
  if (payment === undefined) return undefined;
  const data: Hex = `0x${paymentData(payment)}`;
  const [account, to] = [hex(effect.from), hex(effect.tokenAddress)];
  try {
    await chain.call({ account, to, data, blockNumber });
    return undefined;
  } catch (error) {
    const isUnread =
      !(error instanceof BaseError) || error.walk((one) => one instanceof HttpRequestError);
    if (isUnread) throw error;
    return revertOf(error);
  }
}
