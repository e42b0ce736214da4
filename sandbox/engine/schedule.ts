import type { Settings } from '../config/settings';
import { endsAt, type TimedStage } from './lifecycle';

/** The work that is due in one turn of the engine. Settings count as at the turn's beginning. */
export type Schedule = {
  nowMs: number;
  blockMs: number;
  /** Until when a transaction was accepted whose time in this stage is over. */
  acceptedBy(stage: TimedStage): number;
  /** The time until the stage ends for a transaction that was accepted then. */
  untilEndMs(stage: TimedStage, createdAtMs: number): number;
};

export function scheduleOf(settings: Settings): Schedule {
  const nowMs = Date.now();
  const { settleMs, blockMs } = settings;
  const lastsMs = (stage: TimedStage): number => Math.ceil(endsAt[stage] * settleMs);
  return {
    nowMs,
    blockMs,
    acceptedBy: (stage) => nowMs - lastsMs(stage),
    untilEndMs: (stage, createdAtMs) => createdAtMs + lastsMs(stage) - Date.now(),
  };
}
