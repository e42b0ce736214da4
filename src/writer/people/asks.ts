import type { Approval, Policy } from '../file/policy';

/** An approval that a write needs, and why. */
export type Asks = {
  approval: Approval;
  words: string;
  /** By its own amount, and not because another rule names it. */
  isTier?: boolean;
  /** About this write alone, also where it is a line of a payout that is decided on as a whole. */
  isOfWrite?: boolean;
};

/**
 * The approvals that are needed: each that a limit or a screen names, and of the tiers the highest
 * one. The highest comes first, and what is about one write alone comes last.
 */
export function neededOf(asks: readonly Asks[]): Asks[] {
  const sorted = [...asks].sort((one, other) => (isHigher(one.approval, other.approval) ? -1 : 1));
  const highest = sorted.find(({ isTier }) => isTier);
  const tiered = sorted.filter((one) => !one.isTier || one === highest);
  // Many lines of a batch ask the same.
  const needed: Asks[] = [];
  for (const one of tiered) {
    if (!needed.some((other) => isAlike(one, other))) needed.push(one);
  }
  return [...needed.filter((one) => !one.isOfWrite), ...needed.filter((one) => one.isOfWrite)];
}

function isAlike(one: Asks, other: Asks): boolean {
  const isSame = one.approval === other.approval && one.isOfWrite === other.isOfWrite;
  return isSame && one.isTier === other.isTier;
}

/** By amount. Where two have the same amount, the one that needs more people is the higher. */
export function isHigher(one: Approval, other: Approval): boolean {
  return one.above === other.above ? one.need > other.need : one.above > other.above;
}

/** The approval of that id. */
export function approvalOf({ approvals }: Policy, id: string | undefined): Approval | undefined {
  return approvals.find((one) => one.id === id);
}
