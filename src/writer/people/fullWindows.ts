import type { Approval, Policy } from '../file/policy';
import { feeMoney, type Ledger, type Window } from '../ledger/ledger';
import { type Asks, approvalOf, isHigher } from './asks';

/** The approvals that the full windows of a write lead to. */
export async function fullOf(
  { policy, ledger }: { policy: Policy; ledger: Pick<Ledger, 'full'> },
  windows: readonly Window[],
): Promise<Asks[]> {
  const asks: Asks[] = [];
  for (const window of windows) {
    const approval = askedBy(policy, window);
    if (approval === undefined) continue;
    const full = await ledger.full(window);
    const isTier = isTierWindow(policy, window);
    if (full !== undefined) asks.push({ approval, words: full.words, isTier });
  }
  return asks;
}

/** True for a window that an approval has decided about, or one over hours below the highest tier. */
export function isLifted(policy: Policy, window: Window, approved: readonly Asks[]): boolean {
  const own = askedBy(policy, window);
  if (own === undefined) return false;
  const tier = approved.find(({ isTier }) => isTier)?.approval;
  const isBelow = isTierWindow(policy, window) && tier !== undefined && isHigher(tier, own);
  // The approval of a screen's review says nothing of sums.
  const isDecided = ({ approval, isOfWrite = false }: Asks): boolean =>
    !isOfWrite && approval.id === own.id;
  return isBelow || approved.some(isDecided);
}

function isTierWindow({ approvals }: Policy, { rule }: Window): boolean {
  return approvals.some(({ id }) => id === rule);
}

/**
 * The approval that decides where the window of a rule is full: the rule's own, or the rule. Nobody
 * decides about fees, since no statement names them.
 */
function askedBy(policy: Policy, { rule, money }: Window): Approval | undefined {
  if (money === feeMoney) return undefined;
  const limit = policy.limits.find(({ id }) => id === rule);
  return approvalOf(policy, limit === undefined ? rule : limit.beyond);
}
