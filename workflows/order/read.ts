import type { Activities } from '../../activities';
import type { EarlierRuns } from '../../activities/guard/earlierRuns';
import { mayHaveSent, stopWhenAsked } from './cancel';
import { longReads, reads, stopOf } from './custody';
import { isDoubtful, type LiveOrder } from './liveOrder';
import { show } from './show';
import { continueWhenLong, standStill } from './wait';

type Call<T> = (from: Activities) => Promise<T>;

/**
 * Reads until the service answers. A fault that a person has to fix is shown, and the order goes on
 * once it is fixed. A refusal ends the order, unless a write may be pending.
 */
export async function read<T>(live: LiveOrder, summary: string, call: Call<T>): Promise<T> {
  return patiently(live, { from: () => reads(summary), refusalEnds: true }, call);
}

/**
 * Makes a read that must succeed, since money has moved. A refusal does not end the order. It is
 * shown, and the read is retried.
 */
export async function readSurely<T>(live: LiveOrder, summary: string, call: Call<T>): Promise<T> {
  return patiently(live, { from: () => reads(summary), refusalEnds: false }, call);
}

/** The same for a read of many calls, such as a long list. */
export async function readThrough<T>(live: LiveOrder, summary: string, call: Call<T>): Promise<T> {
  return patiently(live, { from: () => longReads(summary), refusalEnds: false }, call);
}

/** Decisions of all runs of the order. A run that was reset does not remember its own. */
export async function decidedBefore(
  live: LiveOrder,
): Promise<Pick<EarlierRuns, 'amounts' | 'findings'>> {
  const { amounts } = live.opened.earlier;
  const { findings } = live.opened.memory;
  if (!isDoubtful(live)) return { amounts, findings };
  const told = await readThrough(live, 'what was decided before', (from) => from.readDecided());
  return { amounts: told.amounts ?? amounts, findings: { ...findings, ...told.findings } };
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
      if (attempt > 1) show(live, status, waitingFor);
      return answer;
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      // While a write may be pending, no refused read may end the order.
      if (stop.type === 'Refused' && how.refusalEnds && !mayHaveSent(live)) throw error;
      await standStill(
        live,
        stop.type === 'Again' ? stop : { ...stop, type: 'NeedsOperator' },
        attempt,
      );
    }
    stopWhenAsked(live);
    await continueWhenLong(live);
  }
}
