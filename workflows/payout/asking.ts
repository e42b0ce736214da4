import { condition } from '@temporalio/workflow';
import { refusal, stopOf } from '../order/activities';
import { isLong, standStill } from '../order/wait';
import type { LivePayout } from './book';

/**
 * Asks until there is an answer. A refusal ends whoever asks. The run does not continue as new
 * meanwhile, since its update or its opening waits for the answer.
 */
export async function askUntilAnswered<T>(
  live: Parameters<typeof standStill>[0],
  ask: () => Promise<T>,
): Promise<T> {
  for (let look = 1; ; look++) {
    try {
      return await ask();
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      if (stop.type === 'Refused') throw refusal(stop.message);
      await standStill(live, stop, look);
    }
  }
}

/**
 * Waits until it is known what payout this is. A run must answer every update before it ends, so it
 * refuses those that still wait.
 */
export async function untilOpened({ carried }: LivePayout): Promise<void> {
  const isOpened = (): boolean => carried.opened !== undefined;
  await condition(() => isOpened() || isLong());
  if (isOpened()) return;
  throw refusal('This payout could not be opened yet, as its progress says. Ask again later.');
}
