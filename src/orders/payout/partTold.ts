/** A part of a payout, as its query `parts` tells it. Pure data: workflows import it. */
export type PartTold = {
  part: number;
  shardId: string;
  lines: number;
  /** The hash of the lines as they were handed over. */
  hash: string;
  /** Sums by token, in its own units. */
  totals: Record<string, string>;
  /** False while other lines may take their place. */
  isSealed: boolean;
};
