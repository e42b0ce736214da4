import { parseArgs } from 'node:util';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { createCustodyClient } from '../../../../src/custody/client';
import { createActivities } from './activities';

/** More than are ever open, so that no poll waits for a slot. */
const slots = 2_500;
const pollers = { type: 'autoscaling' } as const;

/** The worker of the usual answer, tuned for many small workflows. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      address: { type: 'string', default: '' },
      queue: { type: 'string', default: '' },
      service: { type: 'string', default: '' },
      key: { type: 'string', default: '' },
      secret: { type: 'string', default: '' },
    },
  });
  const { address, queue: taskQueue, service: baseUrl, key: apiKey, secret } = values;
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: require.resolve('./workflows'),
    logger: new DefaultLogger('ERROR'),
  });
  const worker = await Worker.create({
    taskQueue,
    workflowBundle,
    connection: await NativeConnection.connect({ address }),
    activities: createActivities(
      createCustodyClient({ baseUrl, apiKey, entitySecret: secret, deadlineMs: 10_000 }),
    ),
    maxCachedWorkflows: slots,
    maxConcurrentActivityTaskExecutions: slots,
    workflowTaskPollerBehavior: pollers,
    activityTaskPollerBehavior: pollers,
  });
  const running = worker.run();
  console.log('Worker ready');
  await running;
}

void main();
