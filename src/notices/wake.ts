import { setTimeout as sleep } from 'node:timers/promises';

/** The workflow had the signal, or it has ended or was forgotten. */
export type Woken = 'woken' | 'over';

/** Wakes a target. Resolves once Temporal has it, and rejects where it could not be handed on. */
export type Wake = (target: string, noticeId: string) => Promise<Woken>;

type Turn = { nextAtMs: number; waiting?: Promise<Woken> | undefined };

/**
 * Wakes each target at most once in a time. Notices that come meanwhile wait for the same wake, so
 * that none is answered before Temporal has it.
 */
export function createWake(wakeNow: Wake, everyMs: number): Wake {
  const turns = new Map<string, Turn>();
  const forget = (target: string, turn: Turn): void => {
    const isIdle = turn.waiting === undefined && Date.now() >= turn.nextAtMs;
    if (isIdle && turns.get(target) === turn) turns.delete(target);
  };
  const take = async (target: string, noticeId: string, turn: Turn): Promise<Woken> => {
    // Also without a delay: the turn has to have its promise before it loses it.
    await sleep(Math.max(turn.nextAtMs - Date.now(), 0));
    // A notice that comes from here on may tell of something newer.
    turn.waiting = undefined;
    turn.nextAtMs = Date.now() + everyMs;
    setTimeout(() => forget(target, turn), everyMs + 10).unref();
    return wakeNow(target, noticeId);
  };
  return (target, noticeId) => {
    const turn = turns.get(target) ?? { nextAtMs: 0 };
    turns.set(target, turn);
    turn.waiting ??= take(target, noticeId, turn);
    return turn.waiting;
  };
}
