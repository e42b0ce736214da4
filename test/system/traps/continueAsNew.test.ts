import { type LocalTemporal, startTemporal } from '../../../src/local/startTemporal';
import { carryOut, intendedBy, movedBy, type Placed, place } from '../../support/traps/carryOut';
import { type Flow, flows, newTransfer } from '../../support/traps/flows';
import { boundariesOf, resetTo } from '../../support/traps/reset';
import { lookAt, type Scene, startScene } from '../../support/traps/scene';

let temporal: LocalTemporal;
let scene: Scene;
beforeAll(async () => {
  // The server suggests a new run after a dozen events.
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': '12' };
  temporal = await startTemporal({ headless: true, port: 0, dynamicConfig });
  scene = await startScene({ address: temporal.address });
  await scene.change({ keyLifetimeMs: 0 });
});
afterAll(async () => {
  await scene.stop();
  await temporal.stop();
});

async function lastRun({ id }: Placed): Promise<string> {
  return (await lookAt(scene.orders, { id })).description.runId;
}

async function expectMoved(placed: Placed): Promise<void> {
  expect(movedBy(placed, await scene.logs())).toEqual(intendedBy(placed));
}

describe('an order that continues as new every dozen events', () => {
  test.concurrent.each(flows.map((flow) => [flow.name, flow] as const))(
    'reaches its end, and the same end when one of its runs is reset: %s',
    async (_, flow) => {
      const placed = await place(scene, flow);
      const first = await carryOut(scene, placed, placed.runId);
      expect(first.status).toBe(placed.ends);
      const last = await lastRun(placed);
      for (const runId of new Set([placed.runId, last])) {
        const boundary = (await boundariesOf(scene.orders, { ...placed, runId })).at(-1) ?? 0;
        const reset = { boundary, reapply: true };
        const again = await resetTo(scene.orders, { ...placed, runId }, reset);
        expect((await carryOut(scene, placed, again)).status).toBe(placed.ends);
      }
      await expectMoved(placed);
    },
  );

  test.concurrent('keeps the number of its new attempt', async () => {
    const denied: Flow<Awaited<ReturnType<typeof newTransfer>>> = {
      name: 'a transfer that is denied',
      prepare: async (given) => {
        const play = await newTransfer(given);
        await given.decide(play.wallet.id, 'denied');
        return play;
      },
    };
    const placed = await place(scene, denied);
    await carryOut(scene, placed, placed.runId);
    await scene.decide(placed.wallet.id, 'settled');
    // The first poll finds the transfer pending, so the next run must know which attempt this is.
    await scene.change({ settleMs: 4_000 });
    const { runId } = await scene.orders.steadfast.resubmit(placed.id);
    const end = await carryOut(scene, placed, runId);
    expect(end.status).toBe('COMPLETED');
    await expectMoved(placed);
    const { transactions } = await scene.sandbox.client.listTransactions({
      walletIds: placed.wallet.id,
      operation: 'TRANSFER',
    });
    const refs = transactions.flatMap(({ refId }) => refId?.match(/\.g\d$/)?.[0] ?? []);
    expect(refs.sort()).toEqual(['.g0', '.g1']);
  });
});
