import { WithheldError } from '../../custody/errors';
import { type Asks, approvalOf } from '../authority/asks';
import { NotUnderstood } from '../call/effects';
import type { Policy } from '../file/policy';
import type { Screened } from './screening';

/**
 * The approvals that verdicts lead to. A match is refused, and so is a review that no approval
 * decides about. Without an answer nothing is sent, and it is asked again. People decide about a
 * line of a payout by itself, since the payout is approved before its lines are screened.
 */
export function reviewsOf(policy: Policy, verdicts: readonly Screened[]): Asks[] {
  return verdicts.map(({ kind, screen, address, words: evidence }) => {
    const words = `The rule ${screen.id} about ${address}: ${evidence.replace(/\.$/, '')}.`;
    if (kind === 'unavailable') {
      // Without a time of its own, it holds up no other line of its wallet.
      throw new WithheldError(`${words} Nothing was sent.`, { next: 'again' });
    }
    const approval = kind === 'review' ? approvalOf(policy, screen.beyond) : undefined;
    if (approval === undefined) throw new NotUnderstood(words);
    return { approval, words, isOfWrite: true };
  });
}
