import { type TemporalConfig, temporalAddress } from '../../config';
import {
  fine,
  firstLine,
  type HealthFinding,
  misconfigured,
  type TemporalToCheck,
} from '../../health/finding';
import { checkPlace, placeNotChecked } from '../../health/temporal/checkPlace';
import { SentenceError } from '../../orders/input/sentenceError';
import type { Call } from '../call';

type Wanted = { config: TemporalConfig; connect: Call['connect'] } & Pick<
  TemporalToCheck,
  'deployment' | 'answers' | 'isFixing'
>;

/** Checks Temporal, its namespace and the workers. */
export async function checkTemporal({
  config,
  connect,
  ...wanted
}: Wanted): Promise<HealthFinding[]> {
  let asked: TemporalToCheck;
  try {
    asked = { ...(await connect()), ...wanted };
  } catch (error) {
    const mend =
      'Start it with "npx --no-install steadfast dev", or set TEMPORAL_ADDRESS to where it is.';
    const words = `cannot be reached at ${temporalAddress(config)}: ${firstLine(causeOf(error))}`;
    return [misconfigured('Temporal', words, mend), ...placeNotChecked()];
  }
  const reached = fine('Temporal', `answers at ${temporalAddress(config)}`);
  return [reached, ...(await checkPlace(asked))];
}

/** The cause of an error, without the sentence that other commands put around it. */
function causeOf(error: unknown): unknown {
  return error instanceof SentenceError ? (error.reason ?? error) : error;
}
