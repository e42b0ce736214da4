import { ApplicationFailure, heartbeat } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import {
  type Hash,
  isHash,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { FailureFacts } from './attempt';
import { type Effect, effectFaults } from './effect';
import { isOwn, type Mined, operationExecution, ownExecution, type Who } from './execution';
import { readChain } from './readChain';

export type ReceiptActivities = ReturnType<typeof receiptActivities>;

/** A settled write, and what the chain must show of it. Addresses checksummed or not. */
export type ReceiptQuestion = Who & { txHash: string; effect: Effect };

export type ReceiptAnswer = {
  /** success: it happened. reverted: it is on the chain and did nothing. absent: in no block. */
  found: 'success' | 'reverted' | 'absent';
  /** Of a success: how it differs from the effect, as sentences. Empty: it is exactly that. */
  faults: string[];
  /**
   * Of an absent one: whether its nonce was used by another, so that it can never happen. Not given
   * where the chain does not know the transaction.
   */
  replaced?: boolean;
  blockNumber?: number;
};

/** How many receipts are read at a time. */
const atOnceMax = 20;

/**
 * How many blocks must lie upon the use of a nonce before it counts. One address may be served by
 * many nodes: one that is ahead knows the nonce as used, and one behind has no receipt yet.
 */
const buriedBlocks = 20n;

/** Reads of the chain itself, past the custody service. */
export function receiptActivities(chainRpcUrl: string | undefined) {
  const check = async (question: ReceiptQuestion): Promise<ReceiptAnswer> => {
    const { txHash } = question;
    if (chainRpcUrl === undefined) {
      throw needsOperator(
        `CHAIN_RPC_URL is not set on this worker, but this order is done only when the chain ` +
          `shows ${txHash}. Set it and restart the worker; the order then goes on.`,
      );
    }
    if (!isHash(txHash)) {
      throw needsOperator(
        `txHash: "${txHash}" is no hash of a transaction, so the chain cannot be asked for it. ` +
          'Find out from the service what it is.',
      );
    }
    const read = await readChain(chainRpcUrl, (chain) => find(chain, txHash, question));
    return 'found' in read ? read : judge(question, read);
  };
  return {
    /**
     * What has become of a transaction, or of one user operation in it, on the chain. Trouble with
     * the chain's node is a plain error, for Temporal to try again.
     */
    checkReceipt: check,

    /** The same of several, in their order. */
    async checkReceipts(questions: readonly ReceiptQuestion[]): Promise<ReceiptAnswer[]> {
      const answers: ReceiptAnswer[] = [];
      for (let first = 0; first < questions.length; first += atOnceMax) {
        const some = questions.slice(first, first + atOnceMax);
        answers.push(...(await Promise.all(some.map(check))));
        heartbeat();
      }
      return answers;
    },
  };
}

/** What the chain's own record says of the question; nothing but that record decides. */
function judge(question: ReceiptQuestion, mined: Mined): ReceiptAnswer {
  const { status, blockNumber } = mined.receipt;
  const own = isOwn(mined, question);
  // A bundle that reverted has its operations in the open, signed, their nonces free: whoever has
  // read one may send it again. It proves nothing, and as far as the chain goes they never were.
  if (!own && status === 'reverted') return { found: 'absent', faults: [] };
  const block = { blockNumber: Number(blockNumber) };
  const execution = own ? ownExecution(mined) : operationExecution(mined, question);
  if (typeof execution === 'string') return { found: 'success', faults: [execution], ...block };
  if (!execution.success) return { found: 'reverted', faults: [], ...block };
  return { found: 'success', faults: effectFaults(question.effect, execution), ...block };
}

/** The transaction and its receipt, or what is known where there is none. */
async function find(chain: PublicClient, hash: Hash, who: Who): Promise<Mined | ReceiptAnswer> {
  const transaction = await orNone(chain.getTransaction({ hash }));
  if (transaction === undefined) return { found: 'absent', faults: [] };
  const { from: address, nonce, blockNumber: minedIn } = transaction;
  let replaced: boolean | undefined;
  if (minedIn === null && isOwn({ transaction }, who)) {
    const head = await chain.getBlockNumber({ cacheTime: 0 });
    const blockNumber = head > buriedBlocks ? head - buriedBlocks : 0n;
    replaced = (await chain.getTransactionCount({ address, blockNumber })) > nonce;
  }
  // After the nonce: what was mined in between has a receipt now.
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

function needsOperator(message: string): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: 'NeedsOperator',
    nonRetryable: true,
    details: [{ ambiguous: true } satisfies FailureFacts],
    category: ApplicationFailureCategory.BENIGN,
  });
}
