import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { Progress } from '../../src/orders/progress/status';
import { bundleChanged, type Change } from '../support/histories/changedWorkflows';
import { createServe, type Orders } from '../support/orders';
import {
  transferOrder as order,
  type ScriptedCustody,
  scriptedCustody,
  transferRecord,
} from '../support/service/scriptedCustody';

const serve = createServe();
const process = 'const receipt = await process(live);';
const oneMore = "await longReads('one more').readToken({ id: 'one more' });";
const imported = "import { CancellationScope, upsertMemo } from '@temporalio/workflow';";
const withPatched = `import { patched } from '@temporalio/workflow';\n${imported}`;

/** One more activity. It breaks every order that an older build has begun. */
const breaking = [{ file: 'order/runOrder.ts', from: process, to: `${oneMore} ${process}` }];

/** The same activity, only for new orders. */
const patched = [
  { file: 'order/runOrder.ts', from: imported, to: withPatched },
  {
    file: 'order/runOrder.ts',
    from: process,
    to: `if (patched('one-more')) ${oneMore} ${process}`,
  },
];

const isSettling = ({ status }: Progress): boolean => status === 'Settling';

describe('workers that are builds of a deployment', () => {
  test.concurrent('a pinned order ends on its old build, new orders use the new one', async () => {
    const { old, fresh } = await deployTwice({ isPinned: true, changes: breaking });
    const first = await begin(old);
    await makeCurrent(fresh);
    const second = await begin(fresh);
    fresh.settle();
    await second.result();
    old.settle();
    expect(await first.result()).toMatchObject({ txHash: '0xabc' });
    expect([await buildsOf(first), await buildsOf(second)]).toEqual([['old'], ['fresh']]);
    // The old build also makes the order's calls.
    expect(callsOf(old)).toEqual({ sent: 1, oneMore: 0 });
    expect(callsOf(fresh)).toEqual({ sent: 1, oneMore: 1 });
  });

  test.concurrent('an upgraded order goes on with the new build, past its patch', async () => {
    const { old, fresh } = await deployTwice({ isPinned: false, changes: patched });
    const first = await begin(old);
    await makeCurrent(fresh);
    const second = await begin(fresh);
    fresh.settle();
    await second.result();
    expect(await first.result()).toMatchObject({ txHash: '0xabc' });
    expect([await buildsOf(first), await buildsOf(second)]).toEqual([['old', 'fresh'], ['fresh']]);
    expect(callsOf(old)).toEqual({ sent: 1, oneMore: 0 });
    expect(callsOf(fresh)).toEqual({ sent: 1, oneMore: 1 });
  });
});

type Build = {
  orders: Orders;
  deploymentName: string;
  buildId: string;
  custody: ScriptedCustody;
  /** Completes all transfers from now on. Until then they are pending. */
  settle(): void;
};

/** Deploys the workflows, then changed ones on the same queue. The first build is current. */
async function deployTwice(deployment: {
  isPinned: boolean;
  changes: readonly Change[];
}): Promise<{ old: Build; fresh: Build }> {
  const deploymentName = `payments-${randomUUID()}`;
  const taskQueue = `test-${deploymentName}`;
  const deploy = async (buildId: string, changes: readonly Change[]): Promise<Build> => {
    let state = 'PENDING';
    const custody = scriptedCustody({
      getTransaction: () => ({ transaction: transferRecord({ state }) }),
    });
    const { isPinned } = deployment;
    const orders = await serve(custody, {
      taskQueue,
      deployment: { name: deploymentName, buildId, isPinned },
      ...(changes.length > 0 ? { workflows: await bundleChanged(changes) } : {}),
    });
    const settle = () => {
      state = 'COMPLETE';
    };
    return { orders, deploymentName, buildId, custody, settle };
  };
  const old = await deploy('old', []);
  await makeCurrent(old);
  return { old, fresh: await deploy('fresh', deployment.changes) };
}

/** Sends new orders to this build. Temporal must know the build first. */
async function makeCurrent({ orders, deploymentName, buildId }: Build): Promise<void> {
  const { workflowService } = orders.client;
  const version = { namespace: 'default', deploymentName, buildId, identity: 'operator' };
  for (let tries = 1; ; tries++) {
    try {
      await workflowService.setWorkerDeploymentCurrentVersion(version);
      return;
    } catch (error) {
      if (tries === 1_000) throw error;
      await sleep(100);
    }
  }
}

/** Starts an order, and waits until its transfer is settling. */
async function begin({ orders }: Build): Promise<WorkflowHandle> {
  const id = `transfer:${randomUUID()}`;
  await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, isSettling);
  return orders.client.workflow.getHandle(id);
}

/** The builds that ran an order's tasks, in time order. */
async function buildsOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  const builds = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task ? [task.deploymentVersion?.buildId ?? 'none'] : [],
  );
  return [...new Set(builds)];
}

function callsOf({ custody }: Build): { sent: number; oneMore: number } {
  return {
    sent: custody.calls('createTransfer').length,
    oneMore: custody.calls('getToken').filter(({ input }) => input.id === 'one more').length,
  };
}
