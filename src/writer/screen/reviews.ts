import { WithheldError } from '../../custody/errors';
import { paymentPlaces } from '../batches';
import { NotUnderstood } from '../call/effects';
import type { UnderstoodCall } from '../call/understoodCall';
import type { Approval, Policy } from '../file/policy';
import { recipientsOf } from '../judge';
import { type Asks, approvalOf } from '../people/asks';
import type { Screened } from './screening';

/**
 * The approvals that verdicts lead to. A match is refused, and so is a review that no approval
 * decides about. Without an answer nothing is sent, and it is asked again. People decide about a
 * line of a payout by itself, since the payout is approved before its lines are screened.
 */
export function reviewsOf(policy: Policy, verdicts: readonly Screened[]): Asks[] {
  const asked = new Map<Approval, string[]>();
  for (const verdict of verdicts) {
    const { kind, rule } = verdict;
    const words = wordsOf(verdict);
    if (kind === 'unavailable') {
      // Without a time of its own, it holds up no other line of its wallet.
      throw new WithheldError(`${words} Nothing was sent.`, { next: 'again' });
    }
    const approval = kind === 'review' ? approvalOf(policy, rule.beyond) : undefined;
    if (approval === undefined) throw new NotUnderstood(words);
    asked.set(approval, [...(asked.get(approval) ?? []), words]);
  }
  return [...asked].map(([approval, words]) => {
    return { approval, words: words.join(' '), isOfWrite: true };
  });
}

/**
 * Refuses a batch because of the recipients that are not clear, so that the others are paid without
 * them. Where nothing tells of any recipient, the whole batch waits.
 */
export function refuseScreened(write: UnderstoodCall, verdicts: readonly Screened[]): void {
  const [first] = verdicts;
  const apart = paymentPlaces(write, (payment) =>
    verdicts.some(({ address }) => recipientsOf(payment).includes(address)),
  );
  if (first === undefined || apart.length === 0) return;
  const isAway = verdicts.every(({ kind }) => kind === 'unavailable');
  if (isAway && apart.length === write.classified.effects.length) return;
  throw new NotUnderstood(wordsOf(first), { apart });
}

function wordsOf({ rule, check, address, words }: Screened): string {
  const what = check === undefined ? `about ${address}` : `(${check})`;
  return `The rule ${rule.id} ${what}: ${words.replace(/\.$/, '')}.`;
}
