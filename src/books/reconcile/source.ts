import type { KeptRecord } from '../../store/index/records';
import type { Movement } from '../movement';

/** A record of the service, as far as the books need it. */
export type SentRecord = KeptRecord;

/** A movement as the database has it. */
export type Moved = Omit<Movement, 'money' | 'change' | 'sponsored'> & {
  /** Its number among all movements. Below zero for one that was read beside them. */
  at: number;
  token: string;
  decimals: number;
  /** Base units. */
  change: string;
  sponsored?: string;
};

/** The clocks of the service and of the chain differ by less. */
export const clockGapMs = 3_600_000;

/** A movement for the database. */
export function asMoved({ money, change, sponsored, ...rest }: Movement): Omit<Moved, 'at'> {
  const { name: token, decimals } = money;
  const paid = sponsored === undefined ? {} : { sponsored: sponsored.toString() };
  return { ...rest, token, decimals, change: change.toString(), ...paid };
}
