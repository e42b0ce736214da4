import {
  type Hash,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem';
import type { Effect } from '../../../src/chain/effect';
import {
  isOwnTransaction,
  type Mined,
  pendingExecution,
  type Who,
} from '../../../src/chain/execution';
import { readChain } from '../../../src/chain/readChain';
import { bundledAgain } from '../bundledAgain';
import { isOrdered } from './isOrdered';

/** An absent transaction. Its nonce is known while it waits in the node's pool. */
export type Absent = { found: 'absent'; faults: []; replaced?: boolean; nonce?: number };

/** The account whose part is meant, and what it was to do. */
type Asked = Who & { effect: Effect };

/** The transaction with a hash, or the one that has carried out the user operation it names. */
export async function minedOf(rpcUrl: string, hash: Hash, who: Asked): Promise<Mined | Absent> {
  const found = await readChain(rpcUrl, (chain) => find(chain, hash, who));
  return 'found' in found ? found : bundled(rpcUrl, found, who);
}

/**
 * The bundle that has carried out a user operation. A reverted bundle has published its signed
 * operations, and their nonces are free. Anyone who read one may bundle it again, so the revert
 * proves nothing.
 */
async function bundled(rpcUrl: string, mined: Mined, who: Asked): Promise<Mined | Absent> {
  if (mined.receipt.status === 'success' || isOwnTransaction(mined, who)) return mined;
  const hash = await bundledAgain(rpcUrl, mined, who);
  if (hash === undefined) return { found: 'absent', faults: [], replaced: false };
  return readChain(rpcUrl, (chain) => find(chain, hash, who));
}

/** The transaction with its receipt, or the answer if there is none. */
async function find(chain: PublicClient, hash: Hash, who: Asked): Promise<Mined | Absent> {
  const transaction = await orNone(chain.getTransaction({ hash }));
  if (transaction === undefined) return { found: 'absent', faults: [] };
  const { nonce, blockNumber: minedIn } = transaction;
  const receipt = await orNone(chain.getTransactionReceipt({ hash }));
  if (receipt !== undefined) return { transaction, receipt };
  if (minedIn !== null) throw new Error(`The chain's node has no receipt of ${hash} yet.`);
  const waits = { found: 'absent', faults: [], replaced: false } as const;
  const isOwn = isOwnTransaction({ transaction }, who);
  // The nonce of another order's transaction says nothing of this one.
  const isOrder = isOwn && isOrdered(who.effect, pendingExecution(transaction));
  return { ...waits, faults: [], ...(isOrder && { nonce }) };
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
