/** A question to people: the text that they sign, the rule, and who has decided so far. */
export type ApprovalWanted = {
  statement: string;
  rule: string;
  /** So many of these people must approve. The requester is none of them. */
  need: number;
  people: string[];
  given: string[];
};
