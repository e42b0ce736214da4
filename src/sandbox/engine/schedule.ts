import { endsAt, type TimedStage } from '../lifecycle';
import type { Settings } from '../settings';

/** What is due in one turn of the engine; the settings as they are at its beginning. */
export type Schedule = {
  nowMs: number;
  blockMs: number;
  /** Until when a transaction was accepted whose time in this stage is over. */
  acceptedBy(stage: TimedStage): number;
  /** How long until the stage is over for what was accepted then. */
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
