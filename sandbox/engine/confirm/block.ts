import { type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import type { Chain } from '../../chain/chain';
import { blockGasMax } from '../../chain/node/gasLimits';
import type { TransactionResult } from '../../chain/node/mineBlock';
import type { BroadcastRow } from '../../store/records/broadcasts';
import type { Hex } from '../../store/records/records';
import type { EngineParts } from '../parts';
import { learnTokens } from './inbound';
import { conclude } from './outcome';
import { recordedHead } from './recordedHead';

type Parts = Pick<EngineParts, 'store' | 'chain' | 'tokens'>;

/** More than a block has room for. */
const transactionsMax = 2_000;

/** Blocks without a transaction that follow on one with some: for whoever counts confirmations. */
const emptyBlocksMax = 12;

/** True if the chain still has to go on for those who count confirmations. */
export function goesOn({ store }: Pick<Parts, 'store'>): boolean {
  const last = store.blocks.newest(emptyBlocksMax);
  return last.some(({ transactions }) => transactions.length > 0);
}

/**
 * Records the next block with the transactions that wait. Without any, it records an empty one if
 * it may. `finishBlocks` mines it, also after a crash. A recorded block is never undone. Returns
 * true if there is a block.
 */
export async function openBlock(
  { store, chain }: Parts,
  { mayBeEmpty }: { mayBeEmpty: boolean },
): Promise<boolean> {
  // One block at a time: the one before may be unmined still, and this would take its number.
  if (store.broadcasts.where('status', 'assigned').length > 0) return false;
  const last = await recordedHead({ store, chain });
  return store.atomically(() => {
    // Looked at only now, since what waits may be replaced at any time until it is in a block.
    const waiting = firstThatFit(store.broadcasts.includable(transactionsMax));
    if (waiting.length === 0 && !mayBeEmpty) return false;
    store.blocks.insert({
      number: Number(last.number) + 1,
      // Blocks may share a second, as on Arc. Their times never fall, also if the clock does.
      timestampS: Math.max(Math.floor(Date.now() / 1_000), Number(last.timestamp)),
      transactions: waiting.flatMap(({ raw }) => raw ?? []),
    });
    for (const { id } of waiting) store.broadcasts.update(id, { status: 'assigned' });
    return true;
  });
}

/** Mines what is written down and not on the chain yet, and reads the outcome of all that is. */
export async function finishBlocks(parts: Parts): Promise<void> {
  const { store, chain } = parts;
  const [newest] = store.blocks.newest(1);
  const isMined = newest === undefined || newest.hash !== undefined;
  if (isMined && store.broadcasts.where('status', 'assigned').length === 0) return;
  const head = await recordedHead(parts);
  for (const block of store.blocks.above(Number(head.number))) {
    const mined = await chain.mineBlock({ ...block, parentHash: head.hash });
    const { hash, transactions, results } = mined;
    await learnTokens(parts, results);
    store.atomically(() => {
      store.blocks.update({ ...block, transactions, hash });
      conclude(parts, results);
    });
  }
  await readAssigned(parts);
}

/** Reads transactions that were mined without an answer: before a crash, or with a lost answer. */
async function readAssigned(parts: Parts): Promise<void> {
  const { store, chain } = parts;
  const hashes = store.broadcasts.where('status', 'assigned').flatMap(({ txHash }) => txHash ?? []);
  if (hashes.length === 0) return;
  const results = await Promise.all(hashes.map((hash) => readResult(chain, hash)));
  await requireUnchanged(parts, results);
  await learnTokens(parts, results);
  store.atomically(() => conclude(parts, results));
}

/**
 * A receipt counts only if its block is a recorded one, and the last of these is still the newest.
 * A transaction that the control plane has forced back is in an older block.
 */
async function requireUnchanged(
  { store, chain }: Parts,
  results: readonly TransactionResult[],
): Promise<void> {
  const [last] = store.blocks.newest(1);
  const { hash } = await chain.client.getBlock();
  const isOwn = results.every((one) => !one.included || isRecorded(store, one.receipt));
  if (last?.hash === hash && isOwn) return;
  throw new Error('The chain has changed while its receipts were read.');
}

function isRecorded(
  { blocks }: Parts['store'],
  { blockNumber, blockHash }: TransactionReceipt,
): boolean {
  return blocks.get(Number(blockNumber))?.hash === blockHash;
}

/** Only a node that knows of no receipt says that the transaction was left out. */
async function readResult({ client }: Chain, hash: Hex): Promise<TransactionResult> {
  try {
    return { hash, included: true, receipt: await client.getTransactionReceipt({ hash }) };
  } catch (error) {
    if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    return { hash, included: false, reason: 'it is in no block' };
  }
}

/** The oldest that a block has room for. Where one has to wait, so do the later of its sender. */
function firstThatFit(waiting: readonly BroadcastRow[]): BroadcastRow[] {
  const heldUp = new Set<string>();
  let room = blockGasMax;
  return waiting.filter(({ sender, gas, raw }) => {
    if (raw === undefined) return false;
    const fits = !heldUp.has(sender) && BigInt(gas) <= room;
    if (fits) room -= BigInt(gas);
    else heldUp.add(sender);
    return fits;
  });
}
