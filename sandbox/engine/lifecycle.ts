import type { TransactionStage } from '../store/records/stages';

/** The events that move a transaction on. */
export type StageEvent =
  | 'screened'
  | 'denied'
  | 'queued'
  | 'sent'
  | 'stuck'
  | 'putBack'
  | 'accelerated'
  | 'mined'
  | 'settled'
  | 'failed'
  | 'cancelled';

/** The next stage for each stage and event, as at the hosted service. No other can happen. */
const transitions: Readonly<
  Record<TransactionStage, Partial<Record<StageEvent, TransactionStage>>>
> = {
  INITIATED: { screened: 'CLEARED', denied: 'DENIED', failed: 'FAILED', cancelled: 'CANCELLED' },
  CLEARED: { queued: 'QUEUED', failed: 'FAILED', cancelled: 'CANCELLED' },
  QUEUED: { sent: 'SENT', failed: 'FAILED', cancelled: 'CANCELLED' },
  SENT: {
    stuck: 'STUCK',
    putBack: 'QUEUED',
    accelerated: 'SENT',
    mined: 'CONFIRMED',
    failed: 'FAILED',
    cancelled: 'CANCELLED',
  },
  STUCK: { accelerated: 'SENT', mined: 'CONFIRMED', failed: 'FAILED', cancelled: 'CANCELLED' },
  CONFIRMED: { settled: 'COMPLETE', failed: 'FAILED' },
  COMPLETE: {},
  FAILED: {},
  DENIED: {},
  CANCELLED: {},
};

/** The stage that follows, or undefined for an event that cannot happen in this stage. */
export function stageAfter(
  stage: TransactionStage,
  event: StageEvent,
): TransactionStage | undefined {
  return transitions[stage][event];
}

/** The stage that follows. Throws for an event that cannot happen in this stage. */
export function nextStage(stage: TransactionStage, event: StageEvent): TransactionStage {
  const next = stageAfter(stage, event);
  if (next === undefined) throw new Error(`A transaction in ${stage} cannot be ${event}.`);
  return next;
}

/** A stage that lasts until a point in time. */
export type TimedStage = 'INITIATED' | 'CLEARED' | 'QUEUED' | 'CONFIRMED';

/**
 * Until when a stage lasts at least, as a part of the settling time, counted from acceptance.
 * QUEUED lasts longer where the wallet has no room, and SENT lasts until the next block.
 */
export const endsAt: Readonly<Record<TimedStage, number>> = {
  INITIATED: 0.15,
  CLEARED: 0.3,
  QUEUED: 0.45,
  CONFIRMED: 1,
};
