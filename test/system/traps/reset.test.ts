import { setTimeout as sleep } from 'node:timers/promises';
import { setUp } from '../../support/jest/setUp';
import { times } from '../../support/lane';
import { neverMs } from '../../support/stages';
import { carryOut, type End, expectMoved, type Placed, place } from '../../support/traps/carryOut';
import { flows, newTransfer } from '../../support/traps/flows';
import { boundariesOf, resetTo } from '../../support/traps/reset';
import { lookAt, startScene, until } from '../../support/traps/scene';

/** Each order of a flow is reset to every n-th boundary, so that n orders cover all of them. */
const strides = 6;
/** The number of strides that a test run makes, and the first one. */
const copies = times({ short: 1, all: 2 });
const seed = 5;

const scene = setUp(() => startScene());
/** The service forgets every key, so that only the order itself prevents a second send. */
beforeAll(() => scene.change({ keyLifetimeMs: 0 }));

const each = flows.map((flow) => [flow.name, flow] as const);
const ofStride = <T>(items: T[], stride: number): T[] =>
  items.filter((_, position) => position % strides === (seed + stride) % strides);

/**
 * Expects a reset run to end as the first run did. A cancelled transfer may also fail with its
 * cancelled record: a run reset to before the cancellation does not know of it.
 */
function expectAgreement(first: End, again: End): void {
  if (first.status === 'CANCELLED' && again.status !== 'CANCELLED') {
    const ways = /^Refused This order was cancelled|^Failed The transfer .* ended as CANCELLED/;
    expect(`${again.status} ${again.why}`).toMatch(ways);
  } else {
    expect(again).toEqual(first);
  }
}

type Reset = { boundary: number; reapply: boolean };

async function expectHarmless(placed: Placed, first: End, reset: Reset): Promise<string> {
  const runId = await resetTo(scene.orders, placed, reset);
  expectAgreement(first, await carryOut(scene, placed, runId));
  return runId;
}

describe('an order that is reset', () => {
  test.concurrent.each(each)(
    'ends the same from any of its workflow tasks: %s',
    async (_, flow) => {
      const all = Array.from({ length: copies }, async (_, index) => {
        const placed = await place(scene, flow);
        const first = await carryOut(scene, placed, placed.runId);
        expect(first.status).toBe(placed.ends);
        for (const boundary of ofStride(await boundariesOf(scene.orders, placed), index)) {
          await expectHarmless(placed, first, { boundary, reapply: true });
          // Only an order with updates or signals can be reset without them.
          if (placed.act) await expectHarmless(placed, first, { boundary, reapply: false });
        }
        await expectMoved(scene, placed);
      });
      await Promise.all(all);
    },
  );

  test.concurrent.each(each)('ends the same when it is reset twice: %s', async (_, flow) => {
    const placed = await place(scene, flow);
    const first = await carryOut(scene, placed, placed.runId);
    const [, afterGuard = 0] = await boundariesOf(scene.orders, placed);
    const reset = { boundary: afterGuard, reapply: true };
    const runId = await expectHarmless(placed, first, reset);
    const once = { ...placed, runId };
    // From the second half on, the run to be reset is itself a reset run.
    const boundaries = await boundariesOf(scene.orders, once);
    for (const boundary of boundaries.slice(-3)) {
      await expectHarmless(once, first, { boundary, reapply: true });
    }
    await expectMoved(scene, placed);
  });

  test.concurrent('pays once when it is reset while its transfer is in flight', async () => {
    const flow = {
      name: 'slow',
      prepare: () =>
        newTransfer(scene, async (input, { forward }) => {
          const answer = await forward(input);
          await sleep(3_000);
          return answer;
        }),
    };
    const placed = await place(scene, flow);
    const handle = scene.orders.client.workflow.getHandle(placed.id, placed.runId);
    await until(scene.orders, placed, ({ description }) =>
      (description.raw.pendingActivities ?? []).some(
        ({ activityType }) => activityType?.name === 'createTransfer',
      ),
    );
    const before = (await boundariesOf(scene.orders, placed)).length;
    await handle.signal('wake');
    let boundaries: number[] = [];
    while (boundaries.length === before || boundaries.length === 0) {
      boundaries = await boundariesOf(scene.orders, placed);
    }
    const boundary = boundaries.at(-1) ?? 0;
    const runId = await resetTo(scene.orders, placed, { boundary, reapply: true });
    const end = await carryOut(scene, placed, runId);
    expect(end.status).toBe('COMPLETED');
    await expectMoved(scene, placed);
  });
});

describe('an order that is reset while it runs', () => {
  test('goes on in the new run, on any worker', async () => {
    // Nothing settles before every run was reset while it settles.
    await scene.change({ settleMs: neverMs });
    const underWay = flows.slice(0, 4).flatMap((flow) => [flow, flow, flow]);
    const placed = await Promise.all(underWay.map((flow) => place(scene, flow)));
    const runs = placed.map(async (order, index) => {
      const isSettling = async () => (await lookAt(scene.orders, order)).status === 'Settling';
      await until(scene.orders, order, isSettling);
      const boundaries = await boundariesOf(scene.orders, order);
      const boundary = boundaries[(index % 3) + 1] ?? boundaries.at(-1) ?? 0;
      return resetTo(scene.orders, order, { boundary, reapply: true });
    });
    const runIds = await Promise.all(runs);
    await scene.change({ settleMs: 500 });
    // The new workers know these runs only from their histories.
    await scene.orders.restart();
    const ends = placed.map((order, index) => carryOut(scene, order, runIds[index] ?? ''));
    for (const end of await Promise.all(ends)) expect(end.status).toBe('COMPLETED');
    for (const order of placed) await expectMoved(scene, order);
  });
});
