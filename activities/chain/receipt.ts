import {
  type Hash,
  isHash,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import { stop } from '../failure';
import { inSlices } from '../reading';
import { paidBy } from './batchEffect';
import { bundleOf, fateOf } from './bundledAgain';
import { type Effect, effectFaults } from './effect';
import { isOwn, type Mined, operationExecution, ownExecution, type Who } from './execution';
import { type Place, placeOf } from './place';
import { readChain } from './readChain';
import { proveUnpaid, type Unpaid } from './unpaid';

/**
 * A settled write and the effect that the chain must show of it. Addresses may lack the checksum.
 */
export type ReceiptQuestion = Who & {
  txHash: string;
  effect: Effect;
  /** The write is no older. Of a user operation: its bundle is looked for since then. */
  since?: string | undefined;
};

export type ReceiptAnswer = {
  /** success: it happened. reverted: it is on the chain and did nothing. absent: in no block. */
  found: 'success' | 'reverted' | 'absent';
  /** Differences of a success from the effect, as sentences. Empty when it matches exactly. */
  faults: string[];
  /**
   * True if another transaction used the nonce of an absent one, so that it can never happen. False
   * while it may happen. Missing if the chain does not know the transaction.
   */
  replaced?: boolean;
  blockNumber?: number;
  /** Of a batch: the payments that have failed alone. */
  unpaid?: Unpaid[];
  /** Its place in the chain, where there is an archive that keeps it. */
  place?: Place;
};

/** Number of receipts read at a time. */
const atOnceMax = 20;

/**
 * Number of blocks on top of a used nonce before it counts. Many nodes may serve one address. One
 * is ahead and knows the nonce as used while another one still has no receipt.
 */
const buriedBlocks = 20n;

/** Reads of the chain itself, past the custody service. */
export function receiptActivities(chainRpcUrl: string | undefined, { archives = false } = {}) {
  const check = async (question: ReceiptQuestion): Promise<ReceiptAnswer> => {
    const { txHash } = question;
    if (chainRpcUrl === undefined) {
      throw stop(
        'NeedsOperator',
        `CHAIN_RPC_URL is not set on this worker, but this order is done only when the chain ` +
          `shows ${txHash}. Set it and restart the worker. The order then continues.`,
      );
    }
    if (!isHash(txHash)) {
      throw stop(
        'NeedsOperator',
        `txHash: "${txHash}" is no hash of a transaction, so the chain cannot be asked for it. ` +
          'Find out from the service what it is.',
      );
    }
    const named = await readChain(chainRpcUrl, async (chain) => {
      const found = await find(chain, txHash, question);
      if ('found' in found) return found;
      const read = await bundled(chain, found, question);
      if ('found' in read) return read;
      const answer = judge(question, read);
      const whole = await withUnpaid(chain, { ...question, ...read, answer });
      if (!archives || whole.found === 'absent') return whole;
      const place = await placeOf(chain, question, read);
      return place === undefined ? whole : { ...whole, place };
    });
    const { userOpHash, since, ...who } = question;
    const isOver = named.found !== 'absent' || named.replaced === true;
    if (isOver || !userOpHash || since === undefined) return named;
    // A user operation whose bundle is in no block may be in another one.
    const bundle = await bundleOf(chainRpcUrl, { userOpHash, since });
    return bundle === undefined ? named : check({ ...who, userOpHash, txHash: bundle });
  };
  return {
    /**
     * Looks up a transaction, or one user operation in it, on the chain. Trouble with the chain's
     * node is a plain error, which Temporal retries.
     */
    checkReceipt: check,

    /** Checks several receipts. Keeps their order. */
    checkReceipts(questions: readonly ReceiptQuestion[]): Promise<ReceiptAnswer[]> {
      return inSlices(questions, atOnceMax, check);
    },
  };
}

/** Answers the question from the chain's record alone. */
function judge(question: ReceiptQuestion, mined: Mined): ReceiptAnswer {
  const { blockNumber } = mined.receipt;
  const block = { blockNumber: Number(blockNumber) };
  const execution = isOwn(mined, question)
    ? ownExecution(mined)
    : operationExecution(mined, question);
  if (typeof execution === 'string') return { found: 'success', faults: [execution], ...block };
  if (!execution.success) return { found: 'reverted', faults: [], ...block };
  return { found: 'success', faults: effectFaults(question.effect, execution), ...block };
}

/** A batch that is right apart from payments that it lacks: those have failed alone, if proven. */
async function withUnpaid(
  chain: PublicClient,
  { effect, answer, ...mined }: ReceiptQuestion & Mined & { answer: ReceiptAnswer },
): Promise<ReceiptAnswer> {
  const { found, faults } = answer;
  if (effect.kind !== 'batch' || effect.isWhole || found !== 'success' || faults.length > 0) {
    return answer;
  }
  const { unpaid: places } = paidBy(effect, ownExecution(mined));
  if (places.length === 0) return answer;
  const proof = await proveUnpaid(chain, mined.receipt, { effect, places });
  if ('unpaid' in proof) return { ...answer, unpaid: proof.unpaid };
  return { ...answer, faults: [proof.fault] };
}

/**
 * The bundle that has carried out a user operation. A reverted bundle has published its signed
 * operations, and their nonces are free. Anyone who read one may bundle it again, so the revert
 * proves nothing.
 */
async function bundled(
  chain: PublicClient,
  mined: Mined,
  question: ReceiptQuestion,
): Promise<Mined | ReceiptAnswer> {
  if (mined.receipt.status === 'success' || isOwn(mined, question)) return mined;
  const fate = await fateOf(chain, mined, question);
  if ('replaced' in fate) return { found: 'absent', faults: [], replaced: fate.replaced };
  return find(chain, fate.bundledIn, question);
}

/** The transaction with its receipt, or the answer if there is none. */
async function find(chain: PublicClient, hash: Hash, who: Who): Promise<Mined | ReceiptAnswer> {
  const transaction = await orNone(chain.getTransaction({ hash }));
  if (transaction === undefined) return { found: 'absent', faults: [] };
  const { from: address, nonce, blockNumber: minedIn } = transaction;
  let replaced = minedIn === null ? false : undefined;
  if (minedIn === null && isOwn({ transaction }, who)) {
    const head = await chain.getBlockNumber({ cacheTime: 0 });
    const blockNumber = head > buriedBlocks ? head - buriedBlocks : 0n;
    replaced = (await chain.getTransactionCount({ address, blockNumber })) > nonce;
  }
  // Read after the nonce: a transaction mined in between has a receipt now.
  const receipt = await orNone(chain.getTransactionReceipt({ hash }));
  if (receipt !== undefined) return { transaction, receipt };
  if (minedIn !== null) throw new Error(`The chain's node has no receipt of ${hash} yet.`);
  return { found: 'absent', faults: [], ...(replaced === undefined ? {} : { replaced }) };
}

async function orNone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isNone =
      error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError;
    if (isNone) return undefined;
    throw error;
  }
}
