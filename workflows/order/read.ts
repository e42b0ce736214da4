import type { Activities } from '../../activities';
import { readOrNote } from '../write/drive';
import { settleDelayMs } from '../write/machine/delays';
import { noteReset, wasReset } from '../write/reset';
import { longReads, reads, stopOf, unread } from './activities';
import { mayHaveSent, stopWhenAsked } from './cancel';
import type { LiveOrder } from './liveOrder';
import { show } from './show';
import { continueWhenLong, standStill, waitOrWake } from './wait';

type Call<T> = (from: Activities) => Promise<T>;

/**
 * Reads until the service answers. A fault that a person has to fix is shown, and the order goes on
 * once it is fixed. A refusal ends the order, unless a write may be pending.
 */
export async function read<T>(live: LiveOrder, summary: string, call: Call<T>): Promise<T> {
  return patiently(live, { from: () => reads(summary), refusalEnds: true }, call);
}

/** Makes a read that may fail, which is noted. Its answer ends no wait of its caller. */
export async function readOrWait<T>(
  live: LiveOrder,
  call: () => Promise<T>,
): Promise<T | undefined> {
  const answer = await readOrNote(live, call);
  live.woken = false;
  return answer;
}

type Poll<T> = {
  summary: string;
  call: Call<T>;
  /** True for an answer that shows what the write has changed. */
  isShown: (answer: T) => boolean;
  /** Words for the wait. */
  wait: string;
};

/** Number of polls until the last answer is accepted as it is. */
const pollsUntilAccepted = 5;

/**
 * Polls for the changes of a settled write, which its receipt tells. Money has moved, so that no
 * fault may hold up the order's end. Each poll counts. Without any answer, the last is undefined.
 */
export async function readAfterwards<T>(
  live: LiveOrder,
  { summary, call, isShown, wait }: Poll<T>,
): Promise<{ last: T | undefined; polls: number }> {
  let last: T | undefined;
  for (let polls = 1; ; polls++) {
    last = (await readOrWait(live, () => call(reads(summary)))) ?? last;
    live.trouble = undefined;
    if (polls === pollsUntilAccepted || (last !== undefined && isShown(last))) {
      return { last, polls };
    }
    await waitOrWake(live, settleDelayMs(polls), wait);
  }
}

/** The amounts that any run of the order has decided. A run that was reset does not remember its own. */
export async function amountsBefore(live: LiveOrder): Promise<Record<string, string>> {
  const { amounts = {} } = live.opened.earlier;
  if (!wasReset(live)) return amounts;
  const from = (): Activities => longReads('what was decided before');
  const told = await patiently(live, { from, refusalEnds: false }, (reads) => reads.readDecided());
  return told.amounts ?? amounts;
}

async function patiently<T>(
  live: LiveOrder,
  how: { from: () => Activities; refusalEnds: boolean },
  call: Call<T>,
): Promise<T> {
  const { status, waitingFor } = live.progress;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await call(how.from());
      noteReset(live);
      if (attempt > 1) show(live, status, waitingFor);
      return answer;
    } catch (error) {
      noteReset(live);
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      // While a write may be pending, no refused read may end the order.
      if (stop.type === 'Refused' && how.refusalEnds && !mayHaveSent(live)) throw error;
      await standStill(live, unread(stop), attempt);
    }
    stopWhenAsked(live);
    await continueWhenLong(live);
  }
}
