import { setUp } from '../../support/jest/setUp';
import { inTemporal } from '../../support/temporal';
import { carryOut, expectMoved, lastRun, place } from '../../support/traps/carryOut';
import { denied, flows } from '../../support/traps/flows';
import { boundariesOf, resetTo } from '../../support/traps/reset';
import { startScene } from '../../support/traps/scene';

/** The server suggests a new run after a dozen events. */
const temporal = inTemporal({ 'limit.historyCount.suggestContinueAsNew': '12' });
const scene = setUp(() => startScene({ address: temporal.address }));
beforeAll(() => scene.change({ keyLifetimeMs: 0 }));

describe('an order that continues as new every dozen events', () => {
  test.concurrent.each(flows.map((flow) => [flow.name, flow] as const))(
    'reaches its end, and the same end when one of its runs is reset: %s',
    async (_, flow) => {
      const placed = await place(scene, flow);
      const first = await carryOut(scene, placed, placed.runId);
      expect(first.status).toBe(placed.ends);
      const last = await lastRun(scene, placed);
      for (const runId of new Set([placed.runId, last])) {
        const boundary = (await boundariesOf(scene.orders, { ...placed, runId })).at(-1) ?? 0;
        const reset = { boundary, reapply: true };
        const again = await resetTo(scene.orders, { ...placed, runId }, reset);
        expect((await carryOut(scene, placed, again)).status).toBe(placed.ends);
      }
      await expectMoved(scene, placed);
    },
  );

  test.concurrent('keeps the number of its new attempt', async () => {
    const placed = await place(scene, denied);
    await carryOut(scene, placed, placed.runId);
    await scene.decide(placed.wallet.id, 'settled');
    // The first poll finds the transfer pending, so the next run must know which attempt this is.
    await scene.change({ settleMs: 4_000 });
    const { runId } = await scene.orders.steadfast.resubmit(placed.id);
    const end = await carryOut(scene, placed, runId);
    expect(end.status).toBe('COMPLETED');
    await expectMoved(scene, placed);
    const { transactions } = await scene.sandbox.client.listTransactions({
      walletIds: placed.wallet.id,
      operation: 'TRANSFER',
    });
    const refs = transactions.flatMap(({ refId }) => refId?.match(/\.g\d$/)?.[0] ?? []);
    expect(refs.sort()).toEqual(['.g0', '.g1']);
  });
});
