import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { runOrders } from '../../support/orders';
import { openTill, type Till } from '../../support/service/tillCustody';
import { someone } from '../../support/stages';
import { workflowBundle } from '../../support/temporal';

/** A query comes before the task by chance, so there are several. */
const many = 10;
/** Temporal gives up waiting for the worker that knew the order, and asks any other. */
const forgetMs = 6_000;

/** Transfers that were accepted, and whose worker has stopped since. */
async function begun(): Promise<{ till: Till; taskQueue: string; ids: string[] }> {
  const till = openTill({ wallets: many });
  till.settings.settleMs = 600_000;
  const first = await runOrders(till.custody);
  const ids = till.wallets.map(() => `transfer:${randomUUID()}`);
  for (const [at, id] of ids.entries()) {
    const walletId = till.wallets[at]?.id ?? '';
    const order = { from: { walletId }, to: someone(), amount: '1', token: 'USDC' };
    await first.steadfast.start('transferStablecoin', id, order);
    await first.progress(id, ({ status }) => status === 'Settling');
  }
  await first.stop();
  return { till, taskQueue: first.taskQueue, ids };
}

async function expectInStep(handles: readonly WorkflowHandle[]): Promise<void> {
  const histories = await Promise.all(
    handles.map(async (handle) => ({
      workflowId: handle.workflowId,
      history: await handle.fetchHistory(),
    })),
  );
  const workflows = { workflowBundle: workflowBundle() };
  for await (const { error } of Worker.runReplayHistories(workflows, histories)) {
    expect(error).toBeUndefined();
  }
}

test('an order that is asked while its worker starts goes on by itself', async () => {
  const { till, taskQueue, ids } = await begun();
  const asking = await runOrders(till.custody, { taskQueue: `${taskQueue}-other` });
  const handles = ids.map((id) => asking.client.workflow.getHandle(id));
  const answers = handles.map((handle) => handle.query('progress'));
  // Meanwhile a timer of each order fires, and nothing else happens.
  await sleep(forgetMs);
  till.settle();
  const second = await runOrders(till.custody, { taskQueue });
  await Promise.all([...answers, ...handles.map((handle) => handle.result())]);
  await expectInStep(handles);
  await Promise.all([asking, second].map((orders) => orders.stop()));
});

test('an order that is asked while its worker starts can be replayed ever after', async () => {
  const { till, taskQueue, ids } = await begun();
  const asking = await runOrders(till.custody, { taskQueue: `${taskQueue}-other` });
  const handles = ids.map((id) => asking.client.workflow.getHandle(id));
  const answers = handles.map((handle) => handle.query('progress'));
  await sleep(forgetMs);
  for (const handle of handles) await handle.signal('wake');
  const paused = handles.map((handle) =>
    handle.executeUpdate('pause', { args: [{ reason: 'they called' }] }),
  );
  await sleep(1_000);
  const second = await runOrders(till.custody, { taskQueue });
  await Promise.all([...answers, ...paused]);
  till.settle();
  await Promise.all(ids.map((id) => second.steadfast.resume(id)));
  await Promise.all(handles.map((handle) => handle.result()));
  await expectInStep(handles);
  await Promise.all([asking, second].map((orders) => orders.stop()));
});
