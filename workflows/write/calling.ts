import type { Stop } from '../order/activities';
import type { Wish } from './machine/writeState';

/** The calls of an order, or of a part of a payout, that have not answered yet. */
export type Calling = {
  woken: boolean;
  /** The moment of the last timer that has fired. */
  reachedMs: number;
  /** Number of reads and attempts that have not answered. */
  busy: number;
  /** Calls for many writes together, of which one each is pending at most. */
  pending: Set<Wish['want'] | 'report' | 'again' | 'answer'>;
  /** The trouble that holds writes up: a person has to mend it, or it passes by itself. */
  trouble?: Stop | undefined;
};

/**
 * The time by which a run decides what is due. After a restart of its worker, Date.now() can be
 * earlier than the timer that has just fired, and the run would wait once more. So the later one
 * of the two counts.
 */
export function nowOf({ reachedMs }: Pick<Calling, 'reachedMs'>): number {
  return Math.max(Date.now(), reachedMs);
}

/** An order, or a part of a payout, that has asked for nothing yet. An earlier run's trouble stays. */
export function newCalling({ trouble }: Pick<Calling, 'trouble'>): Calling {
  return { woken: false, reachedMs: 0, busy: 0, pending: new Set(), trouble };
}
