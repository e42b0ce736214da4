import { type ReceiptAnswer, receiptActivities } from '../../../activities/chain/receipt';
import type { Effect } from '../../chain/effect';
import type { Place } from '../../chain/place';
import { claimsNoEffect, shownBy } from '../../custody/objects/finalWord';
import type { Transaction } from '../../custody/objects/transaction';

/**
 * The place on the chain of a record that is final, where it is in a block and a node is set. A
 * sentence where the chain shows something else than the record tells.
 */
export async function shownPlace(
  record: Transaction,
  effect: Effect,
  chainRpcUrl: string | undefined,
): Promise<{ place?: Place | undefined } | string> {
  if (chainRpcUrl === undefined) return {};
  const { txHash, userOpHash, blockHeight, state, sourceAddress: sender = '' } = record;
  const { checkReceipt } = receiptActivities(chainRpcUrl, { archives: true });
  const named = { txHash, userOpHash: userOpHash || undefined, blockHeight };
  const answer = await checkReceipt({ ...named, sender, effect });
  const shows = shownBy(answer, record);
  const isSo = claimsNoEffect(record) ? ['dead', 'nothing'].includes(shows) : shows === 'effect';
  if (isSo) return { place: answer.place };
  return `the service calls it ${state}, and the chain shows ${inWords(answer, txHash)}`;
}

function inWords(answer: ReceiptAnswer, txHash: string | undefined): string {
  const { found, faults, blockNumber, other, replaced } = answer;
  if (found === 'reverted') return `that it failed in block ${blockNumber}`;
  if (found === 'success' && faults.length > 0) return `that ${faults.join(', and that ')}`;
  if (found === 'success') return `its effect in block ${blockNumber}`;
  if (other !== undefined) return `another call: ${other}`;
  if (replaced === false) return 'that it may still happen';
  return `${txHash || 'its transaction'} in no block`;
}
