import type { Settings } from '../config/settings';
import type { Acceptances } from '../store/records/transactionQueries';
import { endsAt, type TimedStage } from './lifecycle';

export type TurnSchedule = ReturnType<typeof planTurn>;

/** A clock that is set back by less than this only makes all wait for that long. */
const aheadMaxMs = 60_000;

/** The work that is due in one turn of the engine. Settings count as at the turn's beginning. */
export function planTurn(settings: Settings) {
  const nowMs = Date.now();
  const { settleMs, blockMs } = settings;
  const lastsMs = (stage: TimedStage): number => Math.ceil(endsAt[stage] * settleMs);
  return {
    nowMs,
    blockMs,
    /** When a transaction was accepted whose time in this stage is over. */
    accepted: (stage: TimedStage): Acceptances => ({
      byMs: nowMs - lastsMs(stage),
      aheadMs: nowMs + aheadMaxMs,
    }),
    /** The time until the stage ends for a transaction that was accepted then. */
    untilEndMs: (stage: TimedStage, acceptedAtMs: number): number =>
      acceptedAtMs + lastsMs(stage) - Date.now(),
  };
}
