import { ApplicationFailure } from '@temporalio/workflow';
import { stopOf } from '../order/custody';
import { standStill } from '../order/wait';
import type { LivePayout } from './book';

/** How something is asked that may not be answered at once. */
export type Asking = <T>(ask: () => Promise<T>) => Promise<T>;

/** For somebody who can ask again: a failure is told in its own words. */
export const answered: Asking = async (ask) => {
  try {
    return await ask();
  } catch (error) {
    const stop = stopOf(error);
    throw stop === undefined ? error : refusal(stop.message);
  }
};

/** For the payout itself: until there is an answer. A refusal ends it. */
export function patiently(live: LivePayout): Asking {
  return async (ask) => {
    for (let look = 1; ; look++) {
      try {
        return await ask();
      } catch (error) {
        const stop = stopOf(error);
        if (stop === undefined || stop.type === 'Refused') throw error;
        await standStill(live, stop, look);
      }
    }
  };
}

/** What is refused to whoever asks. */
export function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'Refused');
}
