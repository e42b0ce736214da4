import type { NodeClock } from '../../../src/chain/node/clock';

/** A clock on paper. Its time passes only when all who live by it wait. */
export function paperClock(): NodeClock {
  let [nowMs, isPlanned] = [0, false];
  const waiting: { atMs: number; wake: () => void }[] = [];
  const plan = (): void => {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      waiting.sort((one, other) => one.atMs - other.atMs);
      const next = waiting.shift();
      if (next !== undefined) nowMs = Math.max(nowMs, next.atMs);
      next?.wake();
      plan();
    });
  };
  return {
    now: () => nowMs,
    sleep: (ms) =>
      new Promise<void>((wake) => {
        waiting.push({ atMs: nowMs + ms, wake });
        plan();
      }),
  };
}
