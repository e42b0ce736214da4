/** The target of a decision about all lines of a payout. */
export const allLines = 'lines';

/** A question to people: the text that they sign, the rule, and who has decided so far. */
export type ApprovalWanted = {
  /** The write: "<step>/<item>#<generation>", or all lines of a payout. */
  target: string;
  statement: string;
  rule: string;
  /** So many of these people must approve. The requester is none of them. */
  need: number;
  people: string[];
  given: string[];
  /**
   * The signatures that were verified, each by its digest. A signature with a fault does not count.
   */
  weighed: Weighed[];
};

export type Weighed = { digest: string; person?: string; fault?: string };

/** Decisions that an order keeps at all. Lines of a payout may be decided on one by one. */
export const allDecisionsMax = 300;
