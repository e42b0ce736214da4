import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { startWorker } from '../../src/local/startWorker';
import { newFolder } from '../support/jest/setUp';
import { temporalAddress } from '../support/temporal';

const folder = newFolder();
const taskQueue = `bundled-${process.pid}-${Date.now()}`;

describe('startWorker', () => {
  test('serves the workflows of the bundle that it is given', async () => {
    const worker = await startWorker({
      env: {
        CUSTODY_BASE_URL: 'http://127.0.0.1:9/v1/w3s',
        CUSTODY_API_KEY: 'TEST_API_KEY:an-id:a-secret',
        CUSTODY_ENTITY_SECRET: '5eed'.repeat(16),
        TEMPORAL_ADDRESS: temporalAddress(),
        STEADFAST_TASK_QUEUE: taskQueue,
        STEADFAST_WORKFLOW_BUNDLE: await bundleGreeting(),
      },
    });
    const connection = await Connection.connect({ address: temporalAddress() });
    try {
      const { workflow } = new Client({ connection });
      const workflowId = `${taskQueue}-greeting`;
      expect(await workflow.execute('greet', { taskQueue, workflowId })).toBe('bundled before');
    } finally {
      await connection.close();
      await worker.stop();
    }
  });
});

async function bundleGreeting(): Promise<string> {
  const workflowsPath = require.resolve('./greet');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  const file = join(folder, 'bundle.js');
  writeFileSync(file, code);
  return file;
}
