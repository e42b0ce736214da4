import type { LineOutcome } from '../../../src/orders/payout';
import type { Stage } from '../../write/writeState';

/** What a line has come to, by the stage of its write. */
export const outcomes: Readonly<Record<Stage, LineOutcome>> = {
  unseen: 'waiting',
  ready: 'waiting',
  sending: 'waiting',
  doubt: 'waiting',
  accepted: 'waiting',
  unknown: 'unknown',
  disputed: 'unknown',
  givenUp: 'unknown',
  completed: 'paid',
  failed: 'failed',
  refused: 'failed',
  stopped: 'skipped',
};
