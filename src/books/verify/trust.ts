import {
  type Hex,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from 'viem';
import type { Mined } from '../../chain/execution';
import { type BlockLogs, logsFaultIn } from '../../chain/unpaid';
import { sameText } from '../../custody/objects/sameText';

/** Reasons against a node, and what rests on its word alone. Both are sentences. */
export type Trust = { doubts: string[]; notes: string[] };

/** Checks what a node cannot make up alone: that hashes and signatures fit what they are of. */
export async function trustOf(
  { transaction, receipt }: Mined,
  readBlock: () => Promise<BlockLogs>,
): Promise<Trust> {
  const doubts: string[] = [];
  const notes: string[] = [];
  const { hash, from } = transaction;
  const serialized = serializedAs(transaction);
  if (serialized === undefined) {
    notes.push(`Transactions of the type ${transaction.type} are not hashed here.`);
  } else if (keccak256(serialized) !== hash) {
    doubts.push(`The node tells fields of ${hash} that do not have this hash`);
  } else if (
    !sameText(await recoverTransactionAddress({ serializedTransaction: serialized }), from)
  ) {
    doubts.push(`The node says that ${from} has sent ${hash}, and another key has signed it`);
  }
  try {
    const fault = logsFaultIn(await readBlock(), receipt);
    if (fault !== undefined) doubts.push(`The node contradicts itself: ${fault}`);
  } catch {
    notes.push('The node does not show the receipts of whole blocks, so logs rest on its word.');
  }
  return { doubts, notes };
}

/** The signed transaction as bytes. Undefined for a type that is rare here. */
function serializedAs(transaction: Mined['transaction']): TransactionSerialized | undefined {
  const { to, nonce, value, gas, chainId, input: data, r, s, v } = transaction;
  const own = { to, nonce, value, gas, data };
  const signature = { r: word(r), s: word(s) };
  if (transaction.type === 'legacy') {
    const { gasPrice } = transaction;
    const ofChain = chainId === undefined ? {} : { chainId };
    return serializeTransaction(
      { ...own, ...ofChain, type: 'legacy', gasPrice },
      { ...signature, v },
    );
  }
  if (transaction.type !== 'eip1559') return undefined;
  const { maxFeePerGas, maxPriorityFeePerGas, accessList, yParity } = transaction;
  const fees = { maxFeePerGas, maxPriorityFeePerGas, accessList };
  const typed = { ...own, ...fees, chainId: transaction.chainId, type: 'eip1559' as const };
  return serializeTransaction(typed, { ...signature, yParity });
}

/** Nodes leave out leading zeros. */
function word(text: Hex): Hex {
  return `0x${text.slice(2).padStart(64, '0')}`;
}
