import type { KeptRecord } from '../../accountIndex/records';
import type { Movement } from '../movement';

/** A record of the service, as far as the books need it. */
export type SentRecord = KeptRecord;

/** A movement as the database has it. */
export type Moved = Omit<Movement, 'money' | 'change' | 'sponsored'> & {
  token: string;
  /** Base units. */
  change: string;
  sponsored?: string;
};

/** An order that Temporal still knows. */
export type KnownOrder = {
  id: string;
  isRunning: boolean;
  /** The time at which it ended, if it has. */
  endedMs?: number;
  /** The one payment that it orders, where it orders one. Decimal. */
  pays?: { to: string; amount: string };
};
