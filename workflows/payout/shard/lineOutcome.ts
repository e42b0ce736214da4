import type { LineOutcome } from '../../../src/orders/payout';
import type { Stage } from '../../write/writeState';

/** Outcomes of lines, by the stages of their writes. */
export const lineOutcome: Readonly<Record<Stage, LineOutcome>> = {
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
