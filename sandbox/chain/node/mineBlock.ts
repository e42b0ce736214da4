import {
  type Address,
  type Hex,
  isHex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  toHex,
} from 'viem';
import { getBlock, getBlockReceipts } from 'viem/actions';
import { callNode, callNodeInOrder, type NodeAnswer, type NodeCall } from './callNode';
import { findThefts } from './findThefts';
import { blockGasMax } from './gasLimits';
import { payBeneficiary } from './payBeneficiary';

/**
 * A block to be: when, and which signed transactions in which order. A block with a number is mined
 * as that block or not at all, however often it is tried.
 */
export type BlockInput = {
  number?: number;
  /** The hash of the block before, if it is known. */
  parentHash?: Hex;
  timestampS: number;
  transactions: readonly Hex[];
};

/** The outcome of one transaction: in the block with its receipt, or not in it for a reason. */
export type TransactionResult =
  | { hash: Hex; included: true; receipt: TransactionReceipt }
  | { hash: Hex; included: false; reason: string };

/** A mined block. `transactions` are those that are in it, in its order: what a replay needs. */
export type MinedBlock = {
  number: bigint;
  hash: Hex;
  timestampS: number;
  transactions: Hex[];
  /** A result for each given transaction, in the order given. */
  results: TransactionResult[];
};

/** The chain's node, as far as mining needs it. */
export type MiningNode = { rpcUrl: string; client: PublicClient; baseFeePerGas: bigint };

/** The node has mined a block, and something after that has failed. It must not be used again. */
export class UnfinishedBlockError extends Error {
  override readonly name = 'UnfinishedBlockError';
}

/**
 * Mines one block with these transactions. A transaction that the node refuses stops no other. A
 * block in which somebody else than USDC moves native coins is undone, and mined without that.
 * Throws an UnfinishedBlockError for a block that is mined, and is not as it has to be.
 */
export async function mineBlock(node: MiningNode, input: BlockInput): Promise<MinedBlock> {
  const submitted = await submitAndMine(node, input);
  try {
    return await finishBlock(node, input, submitted);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new UnfinishedBlockError(words, { cause: error });
  }
}

async function finishBlock(
  node: MiningNode,
  input: BlockInput,
  submitted: Submitted,
): Promise<MinedBlock> {
  const { mined, thefts, block } = await readBlock(node, input, submitted);
  if (thefts.size === 0) {
    await payBeneficiary(node, block);
    return mined;
  }
  await callNode(node.rpcUrl, { method: 'anvil_rollback', params: [1] });
  const isTheft = (at: number): boolean => thefts.has(mined.results[at]?.hash ?? '0x');
  const transactions = input.transactions.filter((_, at) => !isTheft(at));
  const again = await mineBlock(node, { ...input, number: Number(mined.number), transactions });
  const reason = 'only USDC may call 0xfd';
  const left = [...again.results];
  const results = mined.results.map(({ hash }, at): TransactionResult => {
    const kept = isTheft(at) ? undefined : left.shift();
    return kept ?? { hash, included: false, reason };
  });
  return { ...again, results };
}

type Read = {
  mined: MinedBlock;
  thefts: ReadonlySet<Hex>;
  block: { miner: Address; gasUsed: bigint };
};

async function readBlock(
  node: MiningNode,
  input: BlockInput,
  { number, submissions }: Submitted,
): Promise<Read> {
  const [block, receipts, thefts] = await Promise.all([
    getBlock(node.client),
    getBlockReceipts(node.client, { blockNumber: BigInt(number) }),
    findThefts(node, { number, transactions: input.transactions }),
    // For the estimates that are made until the next block.
    callNode(node.rpcUrl, fixBaseFee(node)),
  ]);
  requireOwn(block, { ...input, number });
  const receiptByHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]));
  const hashes = input.transactions.map((raw, index) => hashOf(raw, submissions[index]));
  const inBlock = new Set(block.transactions);
  const rawByHash = new Map(input.transactions.map((raw, index) => [hashes[index], raw]));
  const mined = {
    number: block.number,
    hash: block.hash,
    timestampS: Number(block.timestamp),
    transactions: block.transactions.flatMap((hash) => rawByHash.get(hash) ?? []),
    results: hashes.map((hash, index): TransactionResult => {
      const receipt = receiptByHash.get(hash);
      if (receipt?.blockHash === block.hash) return { hash, included: true, receipt };
      if (!inBlock.has(hash)) {
        return { hash, included: false, reason: refusalReason(submissions[index]) };
      }
      throw new Error(`The receipt of ${hash} is not that of block ${number}.`);
    }),
  };
  return { mined, thefts, block };
}

/** Also somebody else may make the node mine, and then this is a block of theirs. */
function requireOwn(
  block: { number: bigint; parentHash: Hex },
  { number, parentHash = block.parentHash }: BlockInput,
): void {
  if (Number(block.number) === number && block.parentHash === parentHash) return;
  throw new Error(`Block ${number} was mined beside blocks of somebody else.`);
}

/** The node answers with the hash of what it takes, and hashing a bundle here takes long. */
function hashOf(raw: Hex, submission: NodeAnswer | undefined): Hex {
  return submission?.ok && isHex(submission.result) ? submission.result : keccak256(raw);
}

/** The number that the block must have, with an answer for each transaction. */
type Submitted = { number: number; submissions: NodeAnswer[] };

async function submitAndMine(node: MiningNode, input: BlockInput): Promise<Submitted> {
  const [head, ...answers] = await callNodeInOrder(node.rpcUrl, [
    { method: 'eth_blockNumber', params: [] },
    ...submission(node, input),
  ]);
  const number = head?.ok ? Number(head.result) + 1 : Number.NaN;
  if (input.number !== undefined && number !== input.number) {
    throw new Error(`Block ${input.number} does not follow on the newest block of the chain.`);
  }
  requireClock(answers, input);
  // In a request of its own: calls beside it in a batch would take effect before it.
  await callNode(node.rpcUrl, mine);
  return { number, submissions: answers.slice(preparations) };
}

/** Mines without looking before, in as few requests as can be: enough for a replay. */
export async function mineBlind(node: MiningNode, input: BlockInput): Promise<void> {
  const answers = await callNodeInOrder(node.rpcUrl, [...submission(node, input), mine]);
  requireClock(answers, input);
  const mined = answers.at(-1);
  if (!mined?.ok) throw new Error(`No block could be mined: ${mined?.reason ?? 'no answer'}`);
  if (input.transactions.length > 0) await payBeneficiary(node);
}

const mine: NodeCall = { method: 'evm_mine', params: [] };
/** The number of calls before the transactions. */
const preparations = 3;

function submission(node: MiningNode, { timestampS, transactions }: BlockInput): NodeCall[] {
  return [
    // A transaction that missed an earlier block must not appear in this one.
    { method: 'anvil_dropAllTransactions', params: [] },
    fixBaseFee(node),
    { method: 'evm_setNextBlockTimestamp', params: [timestampS] },
    ...transactions.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
  ];
}

function requireClock(answers: readonly NodeAnswer[], { timestampS }: BlockInput): void {
  const clock = answers[preparations - 1];
  if (clock?.ok) return;
  throw new Error(`No block at ${timestampS} s can be mined: ${clock?.reason ?? 'no answer'}`);
}

/** The node would lower the fee with every empty block, down to nothing. */
export function fixBaseFee({ baseFeePerGas }: Pick<MiningNode, 'baseFeePerGas'>): NodeCall {
  return { method: 'anvil_setNextBlockBaseFeePerGas', params: [toHex(baseFeePerGas)] };
}

/** Sets the gas limit of every block but the first. */
export const fixGasLimit: NodeCall = {
  method: 'evm_setBlockGasLimit',
  params: [toHex(blockGasMax)],
};

/** The node gives no reason for a transaction that it accepted and did not put into the block. */
function refusalReason(submission: NodeAnswer | undefined): string {
  if (submission?.ok === false) return submission.reason;
  return 'not includable: its nonce is ahead, it was replaced, or the block had no room for it';
}
