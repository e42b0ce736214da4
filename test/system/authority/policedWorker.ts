import { join } from 'node:path';
import type { Child } from '../../../src/local/childProcess';
import { startWorker } from '../../../src/local/startWorker';
import type { TestSandbox } from '../../support/sandbox';
import { temporalAddress, workflowBundle } from '../../support/temporal';

type Service = Pick<TestSandbox, 'secrets' | 'baseUrl'>;
type Settings = { folder: string; taskQueue: string } & Record<string, string>;

/** The variables of a worker with policy.json of a folder, where it keeps its ledger too. */
export function policedEnvironment(
  { secrets, baseUrl }: Service,
  { folder, taskQueue, ...env }: Settings,
): Record<string, string> {
  return {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_TASK_QUEUE: taskQueue,
    STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
    STEADFAST_POLICY_FILE: join(folder, 'policy.json'),
    STEADFAST_LEDGER: `file:${join(folder, 'ledger.db')}`,
    STEADFAST_WRITES_PER_SECOND: 'off',
    STEADFAST_READS_PER_SECOND: 'off',
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: secrets.apiKey,
    CUSTODY_ENTITY_SECRET: secrets.entitySecret,
    ...env,
  };
}

/** Starts a worker with that policy and ledger. */
export function startPolicedWorker(service: Service, settings: Settings): Promise<Child> {
  return startWorker({ env: policedEnvironment(service, settings) });
}
