import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { runsBeside } from '../../../src/client/temporal/runsOf';
import { temporalAddress } from '../../support/temporal';

let connection: Connection;
let client: Client;

beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
});
afterAll(() => connection.close());

/** Starts an id over and over, as somebody can who wants to make its guard slow. */
async function startOften(workflowId: string, times: number): Promise<string[]> {
  const runIds: string[] = [];
  for (let time = 0; time < times; time++) {
    const handle = await client.workflow.start('transferStablecoin', {
      workflowId,
      taskQueue: 'nobody-serves-this',
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    });
    runIds.push(handle.firstExecutionRunId);
  }
  return runIds;
}

async function untilListed(workflowId: string, count: number): Promise<void> {
  while ((await client.workflow.count(`WorkflowId = '${workflowId}'`)).count < count) {
    await sleep(100);
  }
}

test('the runs of an id are all but its own, newest first, and no more than are worth reading', async () => {
  const workflowId = `transfer:${randomUUID()}`;
  const runIds = await startOften(workflowId, 4);
  await untilListed(workflowId, 4);
  const runs = await runsBeside(client, workflowId, { ownRunId: runIds[3] ?? '', most: 3 });
  expect(runs.map(({ runId }) => runId)).toEqual(runIds.slice(0, 3).reverse());
  await expect(runsBeside(client, workflowId, { most: 3 })).rejects.toThrow(
    `${workflowId} has more than 3 runs.`,
  );
  await client.workflow.getHandle(workflowId).terminate();
});
