import { addressOf, type TemporalConfig } from '../../config';
import type { DeploymentConfig } from '../../workerConfig';
import { type Connected, connect } from '../connect';
import { checkNamespace, checkRetention } from './checkNamespace';
import { checkSearchAttributes } from './checkSearchAttributes';
import { checkWorkers } from './checkWorkers';
import { type Finding, fine, misconfigured, reasonOf, skipped } from './finding';

/** A Temporal server that answers, and what is looked for there. */
export type Asked = Pick<Connected, 'client' | 'connection' | 'config'> & {
  /** What workers say they are, if they are to say so. */
  deployment: DeploymentConfig | undefined;
  /** Whether what is safe to mend is to be mended. */
  isFixing: boolean;
};

export type Wanted = { config: TemporalConfig } & Pick<Asked, 'deployment' | 'isFixing'>;

/** Temporal, its namespace, and whether workers are there. */
export async function checkTemporal({ config, ...wanted }: Wanted): Promise<Finding[]> {
  let asked: Asked;
  try {
    asked = { ...(await connect()), ...wanted };
  } catch (error) {
    const mend = 'Start it with "npx steadfast dev", or set TEMPORAL_ADDRESS to where it is.';
    const words = `cannot be reached at ${addressOf(config)}: ${reasonOf(causeOf(error))}`;
    return [
      misconfigured('Temporal', words, mend),
      ...notChecked('Temporal cannot be reached', ['Namespace', ...ofNamespace]),
    ];
  }
  const reached = fine('Temporal', `answers at ${addressOf(config)}`);
  try {
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
    ];
  } finally {
    await asked.connection.close();
  }
}

const ofNamespace = ['Retention', 'Search attributes', 'Workers'];

function notChecked(reason: string, names: readonly string[]): Finding[] {
  return names.map((name) => skipped(name, `not checked: ${reason}`));
}

/** The reason itself, without the sentence that the other commands put around it. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
