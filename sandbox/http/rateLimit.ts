import type { RateClass } from '../../src/custody/endpoints';
import type { Settings } from '../config/settings';
import { fault } from '../errors/errors';

/** Calls of each class that the hosted service takes in any one second. */
const callsPerSecond: Readonly<Record<RateClass, number>> = {
  reads: 20,
  writes: 5,
  frequentWrites: 10,
};

/** Throws a 429 for a call that is one too many. A call that is refused so does not count. */
export type RateLimit = (rate: RateClass) => void;

/**
 * Limits calls by class over a sliding second, which is the strictest reading of "a second". There
 * is one API key in a sandbox, so this is the limit of that key.
 */
export function createRateLimit(
  settings: Pick<Settings, 'rateLimit'>,
  now: () => number = () => performance.now(),
): RateLimit {
  const takenAtMs: Record<RateClass, number[]> = { reads: [], writes: [], frequentWrites: [] };
  return (rate) => {
    if (settings.rateLimit === 'off') return;
    const atMs = now();
    const recent = takenAtMs[rate].filter((takenMs) => takenMs > atMs - 1_000);
    takenAtMs[rate] = recent;
    if (recent.length >= callsPerSecond[rate]) throw fault('tooManyRequests');
    recent.push(atMs);
  };
}
