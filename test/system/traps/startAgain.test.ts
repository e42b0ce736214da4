import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { setUp } from '../../support/jest/setUp';
import {
  carryOut,
  expectMoved,
  lastRun,
  type Placed,
  place,
  startAgain,
} from '../../support/traps/carryOut';
import { denied, type Flow, flows, newTransfer, type Play } from '../../support/traps/flows';
import { startScene, until } from '../../support/traps/scene';

/** The times after which each run of an order is terminated. */
const lastsMs = [0, 120, 250, 500, 900, 1_500, 2_800];
const starters = 50;

const scene = setUp(() => startScene());

const transfer: Flow<Play & { wallet: { id: string } }> = {
  name: 'a transfer',
  prepare: (given) => newTransfer(given),
};

const handleOf = ({ id }: Placed) => scene.orders.client.workflow.getHandle(id);

/** Terminates an order. False when it had already ended, as can happen on a busy machine. */
async function terminate(placed: Placed): Promise<boolean> {
  try {
    await handleOf(placed).terminate();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

describe('an order that is terminated and started again', () => {
  test.concurrent.each(flows.map((flow) => [flow.name, flow] as const))(
    'moves its money once, after any number of runs: %s',
    async (_, flow) => {
      const placed = await place(scene, flow);
      let { runId } = placed;
      let terminated = 0;
      for (const ms of lastsMs) {
        await sleep(ms);
        if (await terminate(placed)) terminated += 1;
        runId = await startAgain(scene, placed);
      }
      expect(terminated).toBeGreaterThan(0);
      const end = await carryOut(scene, placed, runId);
      expect(end.status).toBe(placed.ends);
      await expectMoved(scene, placed);
    },
  );
});

describe('an order that fifty callers start at once', () => {
  test.concurrent.each(['FAIL', 'USE_EXISTING', 'TERMINATE_EXISTING'] as const)(
    'with the policy %s, and any reuse of its id',
    async (workflowIdConflictPolicy) => {
      const placed = await place(scene, transfer);
      const race = Array.from({ length: starters }, () =>
        startAgain(scene, placed, { workflowIdConflictPolicy }),
      );
      const started = (await Promise.allSettled(race)).filter((one) => one.status === 'fulfilled');
      if (workflowIdConflictPolicy !== 'FAIL') expect(started).toHaveLength(starters);
      const end = await carryOut(scene, placed, await lastRun(scene, placed));
      expect(end.status).toBe('COMPLETED');
      await expectMoved(scene, placed);
    },
  );
});

describe('an id that anyone starts again, with any reuse policy', () => {
  test.concurrent('returns the result of a completed order', async () => {
    const placed = await place(scene, transfer);
    const first = await carryOut(scene, placed, placed.runId);
    expect(await carryOut(scene, placed, await startAgain(scene, placed))).toEqual(first);
    await expectMoved(scene, placed);
  });

  test.concurrent('keeps a cancelled order cancelled', async () => {
    const [cancelled] = flows.filter(({ name }) => name.includes('cancelled after'));
    if (cancelled === undefined) throw new Error('No flow is cancelled.');
    const placed = await place(scene, cancelled);
    expect((await carryOut(scene, placed, placed.runId)).status).toBe('CANCELLED');
    const again = await carryOut(scene, placed, await startAgain(scene, placed));
    expect(again).toMatchObject({ status: 'Refused', why: expect.stringContaining('cancelled') });
    await expectMoved(scene, placed);
  });

  test.concurrent('fails as before for a failed order, without a new attempt', async () => {
    const placed = await place(scene, denied);
    const first = await carryOut(scene, placed, placed.runId);
    expect(first).toMatchObject({ status: 'Failed', why: expect.stringContaining('DENIED') });
    await scene.decide(placed.wallet.id, 'settled');
    expect(await carryOut(scene, placed, await startAgain(scene, placed))).toEqual(first);
    await expectMoved(scene, placed, { transfers: 0, deployments: 0 });
  });

  test.concurrent("returns the new attempt's result for a resubmitted order", async () => {
    const placed = await place(scene, denied);
    await carryOut(scene, placed, placed.runId);
    await scene.decide(placed.wallet.id, 'settled');
    const resubmitted = await scene.orders.steadfast.resubmit(placed.id);
    const first = await carryOut(scene, placed, resubmitted.runId);
    expect(first.status).toBe('COMPLETED');
    // The first input again, which does not know of the new attempt.
    expect(await carryOut(scene, placed, await startAgain(scene, placed))).toEqual(first);
    await expectMoved(scene, placed);
  });

  test.concurrent('goes on from the new attempt when that had failed too', async () => {
    const placed = await place(scene, denied);
    await carryOut(scene, placed, placed.runId);
    const resubmitted = await scene.orders.steadfast.resubmit(placed.id);
    const second = await carryOut(scene, placed, resubmitted.runId);
    await scene.decide(placed.wallet.id, 'settled');
    expect(await carryOut(scene, placed, await startAgain(scene, placed))).toEqual(second);
    await expectMoved(scene, placed, { transfers: 0, deployments: 0 });
  });

  test.concurrent('sends once when its resubmitted run is terminated', async () => {
    const placed = await place(scene, denied);
    await carryOut(scene, placed, placed.runId);
    await scene.decide(placed.wallet.id, 'settled');
    const { runId } = await scene.orders.steadfast.resubmit(placed.id);
    await until(scene.orders, { ...placed, runId }, ({ status }) => status === 'Settling');
    await handleOf(placed).terminate();
    const end = await carryOut(scene, placed, await startAgain(scene, placed));
    expect(end.status).toBe('COMPLETED');
    await expectMoved(scene, placed);
  });
});
