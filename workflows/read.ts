import type { Activities } from '../activities';
import { mayHaveSent, stopWhenAsked } from './cancel';
import { longReads, reads, stopOf } from './custody';
import type { Run } from './run';
import { show } from './show';
import { continueWhenLong, standStill } from './wait';

type Call<T> = (from: Activities) => Promise<T>;

/**
 * Reads until the service answers. What a person has to mend is shown meanwhile, and the order goes
 * on by itself when it is. A refusal ends the order.
 */
export async function read<T>(run: Run, summary: string, call: Call<T>): Promise<T> {
  return patiently(run, { from: () => reads(summary), refusalEnds: true }, call);
}

/**
 * Reads what must be read, since money has moved: no refusal ends the order, it is shown and the
 * read is tried again.
 */
export async function readSurely<T>(run: Run, summary: string, call: Call<T>): Promise<T> {
  return patiently(run, { from: () => reads(summary), refusalEnds: false }, call);
}

/** The same for what takes many calls, such as a long list. */
export async function readThrough<T>(run: Run, summary: string, call: Call<T>): Promise<T> {
  return patiently(run, { from: () => longReads(summary), refusalEnds: false }, call);
}

async function patiently<T>(
  run: Run,
  how: { from: () => Activities; refusalEnds: boolean },
  call: Call<T>,
): Promise<T> {
  const { status, waitingFor } = run.progress;
  for (let look = 1; ; look++) {
    try {
      const answer = await call(how.from());
      if (look > 1) show(run, status, waitingFor);
      return answer;
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      // While a write may be under way, no refused read may end the order.
      if (stop.type === 'Refused' && how.refusalEnds && !mayHaveSent(run)) throw error;
      await standStill(
        run,
        stop.type === 'Again' ? stop : { ...stop, type: 'NeedsOperator' },
        look,
      );
    }
    stopWhenAsked(run);
    await continueWhenLong(run);
  }
}
