/** An order that Temporal still knows. */
export type KnownOrder = {
  id: string;
  isRunning: boolean;
  /** The time at which it ended, if it has. */
  endedMs?: number;
  /** The one payment that it orders, where it orders one. Decimal. */
  pays?: { to: string; amount: string };
  /** The word for its end, of a single payment that it has not made. */
  endedAs?: string;
};
