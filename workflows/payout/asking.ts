import { ApplicationFailure } from '@temporalio/workflow';
import { stopOf } from '../order/custody';
import { standStill } from '../order/wait';

/** Asks for somebody who can ask again: a failure is told in its own words. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const stop = stopOf(error);
    throw stop === undefined ? error : refusal(stop.message);
  }
}

/** Asks until there is an answer. A refusal ends whoever asks. */
export async function patiently<T>(
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

/** A refusal of an update, as its caller sees it. */
export function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'Refused');
}
