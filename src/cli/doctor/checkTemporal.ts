import { type TemporalConfig, temporalAddress } from '../../config';
import { SentenceError } from '../../orders/input/sentenceError';
import type { Call } from '../call';
import { checkNamespace, checkRetention } from './checkNamespace';
import { checkSchedules } from './checkSchedules';
import { checkSearchAttributes } from './checkSearchAttributes';
import { checkWorkers } from './checkWorkers';
import { type Asked, type Finding, fine, firstLine, misconfigured, skipped } from './finding';

export type Wanted = { config: TemporalConfig; connect: Call['connect'] } & Pick<
  Asked,
  'deployment' | 'answers' | 'isFixing'
>;

/** Checks Temporal, its namespace and the workers. */
export async function checkTemporal({ config, connect, ...wanted }: Wanted): Promise<Finding[]> {
  let asked: Asked;
  try {
    asked = { ...(await connect()), ...wanted };
  } catch (error) {
    const mend =
      'Start it with "npx --no-install steadfast dev", or set TEMPORAL_ADDRESS to where it is.';
    const words = `cannot be reached at ${temporalAddress(config)}: ${firstLine(causeOf(error))}`;
    return [
      misconfigured('Temporal', words, mend),
      ...notChecked('Temporal cannot be reached', ['Namespace', ...ofNamespace]),
    ];
  }
  const reached = fine('Temporal', `answers at ${temporalAddress(config)}`);
  const { namespace } = config;
  const known = await checkNamespace(asked);
  if (known.days === undefined) {
    return [reached, known.finding, ...notChecked('the namespace cannot be used', ofNamespace)];
  }
  return [
    reached,
    known.finding,
    checkRetention(namespace, known.days),
    await checkSearchAttributes(asked),
    ...(await checkWorkers(asked)),
    ...(await checkSchedules(asked)),
  ];
}

const ofNamespace = ['Retention', 'Search attributes', 'Workers', 'Schedules'];

function notChecked(reason: string, names: readonly string[]): Finding[] {
  return names.map((name) => skipped(name, `not checked: ${reason}`));
}

/** The cause of an error, without the sentence that other commands put around it. */
function causeOf(error: unknown): unknown {
  return error instanceof SentenceError ? (error.reason ?? error) : error;
}
