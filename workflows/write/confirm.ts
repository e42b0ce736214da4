import type { ReceiptAnswer } from '../../activities/chain/receipt';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { LiveOrder } from '../order/liveOrder';
import { readSurely } from '../order/read';
import { show } from '../order/show';
import { continueWhenLong, pause, standStill } from '../order/wait';
import { settleDelayMs } from './delays';
import { hadNoEffect } from './lookUp';
import type { Transacting } from './step';

/**
 * Holds the service's final word against the chain, where the chain is read: what it calls COMPLETE
 * must be there, exactly as ordered, and what it calls FAILED or CANCELLED must not. Returns once
 * they agree, and shows meanwhile that they do not.
 */
export async function confirm(
  live: LiveOrder,
  step: Transacting,
  transaction: Transaction,
): Promise<void> {
  const { txHash, userOpHash, state } = transaction;
  if (!live.opened.checksReceipts || !txHash) return;
  const sinceMs = Date.now();
  for (let look = 1; ; look++) {
    const receipt = await readSurely(live, `${step.doing}: receipt on the chain`, (from) =>
      from.checkReceipt({
        txHash,
        ...(userOpHash ? { userOpHash } : {}),
        sender: step.sender,
        effect: step.effect,
      }),
    );
    const isPatient = Date.now() - sinceMs < live.opened.lookupGraceMs;
    const fault = disagreement(transaction, receipt, isPatient);
    if (fault === undefined) return;
    if (receipt.found === 'absent' && isPatient) {
      show(live, 'Settling', `${step.doing}: ${fault} (${txHash})`);
      await pause(live, settleDelayMs(look), `${step.doing}: until the chain shows it`);
    } else {
      const message = `The service calls the ${step.doing} ${state}, but ${fault} (${txHash}).`;
      await standStill(live, { type: 'NeedsOperator', message, facts: { ambiguous: true } }, look);
    }
    await continueWhenLong(live);
  }
}

/** How the chain contradicts a final record, in words; undefined where they agree. */
export function disagreement(
  record: Pick<Transaction, 'state'>,
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
 * Why a transaction that came to nothing may have had an effect after all. In no block proves it
 * where its nonce was used by another one; where the chain has never heard of the hash, so that its
 * nonce cannot be known, its absence over the whole grace period does.
 */
function effectOf({ found, replaced }: ReceiptAnswer, isPatient: boolean): string | undefined {
  if (found === 'reverted') return undefined;
  if (found === 'success') return 'it succeeded on the chain';
  if (replaced === true || (replaced === undefined && !isPatient)) return undefined;
  return 'it is not certain that the chain will never take it';
}
