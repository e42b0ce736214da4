import type { ReceiptAnswer } from '../../activities/chain/receipt';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';

type Record = Pick<Transaction, 'state'>;

/** Whether a record proves that its transaction had no effect, and never will have. */
export function hadNoEffect({ state }: Record): boolean {
  const end = finalState(state);
  return end !== undefined && end !== 'COMPLETE';
}

/** How the chain contradicts a final record, in words. Undefined if they agree. */
export function disagreement(
  record: Record,
  receipt: ReceiptAnswer,
  isPatient: boolean,
): string | undefined {
  return hadNoEffect(record) ? effectOf(receipt, isPatient) : lackOf(receipt);
}

/** What a completed transaction lacks on the chain. */
function lackOf({ found, faults }: ReceiptAnswer): string | undefined {
  if (found === 'absent') return 'it is in no block of the chain';
  if (found === 'reverted') return 'it was reverted on the chain';
  return faults.length === 0 ? undefined : `the chain shows otherwise: ${faults.join('; ')}`;
}

/**
 * Why a failed transaction may have had an effect. Its absence from the chain proves that it had
 * none if another transaction has used its nonce. If the chain has never heard of the hash, its
 * nonce is not known, and its absence over the whole grace period is the proof.
 */
function effectOf({ found, replaced }: ReceiptAnswer, isPatient: boolean): string | undefined {
  if (found === 'reverted') return undefined;
  if (found === 'success') return 'it succeeded on the chain';
  if (replaced === true || (replaced === undefined && !isPatient)) return undefined;
  return 'it is not certain that the chain will never take it';
}
