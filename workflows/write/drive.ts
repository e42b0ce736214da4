import { condition } from '@temporalio/workflow';
import { type Stop, stopOf, unread } from '../order/activities';
import { noteFault } from '../order/show';
import { continueWhenLong, isLong, type Lasting } from '../order/wait';
import { type Calling, nowOf } from './calling';
import type { Wish } from './machine/writeState';
import { type Doubt, noteReset } from './reset';

/** An order, or a part of a payout: what the loop needs of it. */
type Driven = Lasting & Calling & { carried: Doubt };

/** Begins what is due. Returns the moment at which to ask again. */
export type Begin = () => number;

type Turns = {
  begins: readonly Begin[];
  isOver: () => boolean;
  /** Shows what is waited for, and returns once something has happened, or at a moment. */
  wait: (untilMs: number) => Promise<void>;
};

/**
 * The loop of all writes. It begins what they want, with at most one call of a kind under way. It
 * hears the answers as events, shows where it stands, and waits. It continues as new before its
 * history grows too long.
 */
export async function drive(live: Driven, { begins, isOver, wait }: Turns): Promise<void> {
  for (;;) {
    noteReset(live);
    if (isOver()) return;
    if (isLong()) {
      await condition(() => !isBusy(live));
      await continueWhenLong(live);
    }
    const untilMs = Math.min(...begins.map((begin) => begin()));
    if (isOver()) return;
    if (!live.woken) await wait(untilMs);
    live.woken = false;
  }
}

/** True while an answer is awaited that no other run would hear. */
export function isBusy({ busy, pending }: Pick<Driven, 'busy' | 'pending'>): boolean {
  return busy > 0 || pending.size > 0;
}

type Call<Write> = {
  want: Wish['want'] | 'again' | 'answer';
  /** The writes that want it. */
  of: readonly Write[];
  dueMs: (write: Write) => number;
  call: (due: readonly Write[]) => Promise<unknown>;
};

/** Begins one call for all writes that are due. Returns the moment at which to ask again. */
export function beginCall<Write>(live: Driven, { want, of, dueMs, call }: Call<Write>): number {
  if (of.length === 0 || live.pending.has(want)) return Number.POSITIVE_INFINITY;
  const nowMs = nowOf(live);
  const due = of.filter((one) => dueMs(one) <= nowMs);
  if (due.length === 0) return Math.min(...of.map(dueMs));
  live.pending.add(want);
  void call(due).finally(() => {
    live.pending.delete(want);
    live.woken = true;
  });
  return Number.POSITIVE_INFINITY;
}

/** Makes a read. If that fails, notes the reason and returns undefined: it is made again later. */
export async function readOrNote<T>(
  live: Driven,
  read: () => Promise<T>,
  standing: () => Stop | undefined = () => undefined,
): Promise<T | undefined> {
  live.busy += 1;
  try {
    const answer = await read();
    noteReset(live);
    live.trouble = standing();
    return answer;
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    noteFault(live, stop.message);
    live.trouble = unread(stop);
    return undefined;
  } finally {
    live.busy -= 1;
    live.woken = true;
  }
}
