import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { temporalServer } from '../../scripts/temporalServer';
import { createServe } from '../support/orders';
import { transferOrder as order, scriptedCustody } from '../support/service/scriptedCustody';
import { temporalAddress, temporalHttpUrl } from '../support/temporal';

const run = promisify(execFile);
const serve = createServe();
const newId = (): string => `transfer:${randomUUID()}`;

describe('a transfer that is started by its name with plain JSON', () => {
  test.concurrent('runs when the Temporal CLI starts it', async () => {
    const custody = scriptedCustody();
    const { taskQueue, client } = await serve(custody);
    const id = newId();
    const binary = await temporalServer();
    await run(binary, [
      'workflow',
      'start',
      '--address',
      temporalAddress(),
      '--type',
      'transferStablecoin',
      '--task-queue',
      taskQueue,
      '--workflow-id',
      id,
      '--id-reuse-policy',
      'AllowDuplicateFailedOnly',
      '--input',
      JSON.stringify(order),
    ]);
    expect(await client.workflow.getHandle(id).result()).toMatchObject({ state: 'COMPLETE' });
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent("runs once when Temporal's HTTP API starts it twice", async () => {
    const custody = scriptedCustody();
    const { taskQueue, client } = await serve(custody);
    const id = newId();
    const url = `${temporalHttpUrl()}/api/v1/namespaces/default/workflows/${id}`;
    const body = JSON.stringify({
      workflowType: { name: 'transferStablecoin' },
      taskQueue: { name: taskQueue },
      workflowIdReusePolicy: 'WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE',
      input: [order],
    });
    const headers = { 'content-type': 'application/json' };
    const start = () => fetch(url, { method: 'POST', headers, body });
    expect((await start()).status).toBe(200);
    const first = await client.workflow.getHandle(id).result();
    expect(first).toMatchObject({ state: 'COMPLETE' });
    expect((await start()).status).toBe(200);
    expect(await client.workflow.getHandle(id).result()).toEqual(first);
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent('is refused with the name of the wrong field', async () => {
    const { taskQueue, client } = await serve(scriptedCustody());
    const handle = await client.workflow.start('transferStablecoin', {
      workflowId: newId(),
      taskQueue,
      args: [{ ...order, amount: 5 }],
    });
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'Refused', message: 'amount: 5 must be text, in quotes.' },
    });
  });
});
