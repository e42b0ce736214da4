import type { CustodyApi } from '../custody/endpoints';
import { WithheldError } from '../custody/errors';
import { sharing } from '../custody/sharing';
import type { Clock } from './clock';

const againMs = 300_000;

/**
 * The time that the service has just confirmed, by which windows and keys are counted. Any answer
 * tells it. Holds the call back while this machine has another time. Without a clock, this machine
 * is believed.
 */
export function confirmedTime(
  custody: Pick<CustodyApi, 'getEntityConfig'>,
  clock: Clock | undefined,
): () => Promise<number> {
  if (clock === undefined) return async () => Date.now();
  const ask = sharing(() => custody.getEntityConfig({}));
  return async () => {
    if (clock.read().fault !== undefined) await ask();
    const reading = clock.read();
    if (reading.fault === undefined) return reading.nowMs;
    throw new WithheldError(reading.fault, { next: 'again', afterMs: againMs });
  };
}
