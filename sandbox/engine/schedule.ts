import type { Settings } from '../config/settings';
import { endsAt, type TimedStage } from './lifecycle';

export type TurnSchedule = ReturnType<typeof planTurn>;

/** The work that is due in one turn of the engine. Settings count as at the turn's beginning. */
export function planTurn(settings: Settings) {
  const nowMs = Date.now();
  const { settleMs, blockMs } = settings;
  const lastsMs = (stage: TimedStage): number => Math.ceil(endsAt[stage] * settleMs);
  return {
    nowMs,
    blockMs,
    /** Until when a transaction was accepted whose time in this stage is over. */
    acceptedBy: (stage: TimedStage): number => nowMs - lastsMs(stage),
    /** The time until the stage ends for a transaction that was accepted then. */
    untilEndMs: (stage: TimedStage, acceptedAtMs: number): number =>
      acceptedAtMs + lastsMs(stage) - Date.now(),
  };
}
