import { join } from 'node:path';
import type { Child } from '../../../src/childProcess';
import { startWorker } from '../../../src/stack/startWorker';
import type { TestSandbox } from '../../support/sandbox';
import { temporalAddress, workflowBundle } from '../../support/temporal';

/** Starts a worker with policy.json of a folder, where it keeps its ledger too. */
export function startPolicedWorker(
  { secrets, baseUrl }: TestSandbox,
  { folder, taskQueue, ...env }: { folder: string; taskQueue: string } & Record<string, string>,
): Promise<Child> {
  return startWorker({
    env: {
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: taskQueue,
      STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
      STEADFAST_POLICY_FILE: join(folder, 'policy.json'),
      STEADFAST_LEDGER: `file:${join(folder, 'ledger.db')}`,
      CUSTODY_BASE_URL: baseUrl,
      CUSTODY_API_KEY: secrets.apiKey,
      CUSTODY_ENTITY_SECRET: secrets.entitySecret,
      ...env,
    },
  });
}
