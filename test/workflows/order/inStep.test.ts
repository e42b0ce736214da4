import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { runOrders } from '../../support/orders';
import { openTill } from '../../support/service/tillCustody';
import { someone } from '../../support/stages';
import { workflowBundle } from '../../support/temporal';

/** A query comes before the task by chance, so there are several. */
const many = 10;
/** Temporal gives up waiting for the worker that knew the order, and asks any other. */
const forgetMs = 6_000;

test('an order that is asked while its worker starts can be replayed ever after', async () => {
  const till = openTill({ wallets: many });
  till.settings.settleMs = 600_000;
  const first = await runOrders(till.custody);
  const { taskQueue } = first;
  const ids = till.wallets.map(() => `transfer:${randomUUID()}`);
  for (const [at, id] of ids.entries()) {
    const walletId = till.wallets[at]?.id ?? '';
    const order = { from: { walletId }, to: someone(), amount: '1', token: 'USDC' };
    await first.steadfast.start('transferStablecoin', id, order);
    await first.progress(id, ({ status }) => status === 'Settling');
  }
  await first.stop();

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
  await Promise.all([asking, second].map((orders) => orders.stop()));
});
