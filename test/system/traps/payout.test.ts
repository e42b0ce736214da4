import { setTimeout as sleep } from 'node:timers/promises';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe, type Orders } from '../../support/orders';
import { linesOf, newLines, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';
import { inTemporal } from '../../support/temporal';
import { boundariesOf, resetTo } from '../../support/traps/reset';

const serve = createServe();

/** Expects one accepted transfer for each line. A line that is paid twice has two. */
function expectOnce({ taken }: Till, lines: readonly { to: string }[]): void {
  const to = taken.map(({ destinationAddress }) => destinationAddress?.toLowerCase());
  expect(to.sort()).toEqual(lines.map((line) => line.to).sort());
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await sleep(50);
}

/** A payout with half of its lines accepted, and none settled. */
async function halfWay() {
  const till = openTill();
  const orders = await serve(till.custody);
  till.settings.settleMs = 600_000;
  const lines = newLines(8);
  const order = payoutOf(till.wallets, { openMax: 4 });
  const { workflowId } = await orders.steadfast.payout(order, lines);
  await until(() => till.taken.length === 4);
  const goOn = async () => {
    till.settings.settleMs = 100;
    till.settle();
    return orders.client.workflow.getHandle(workflowId).result();
  };
  return { till, orders, lines, workflowId, goOn };
}

type Reset = { where: number | 'before the first line'; reapply: boolean };

async function resetAt(orders: Orders, id: string, { where, reapply }: Reset) {
  const handle = orders.client.workflow.getHandle(id);
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const firstLine = events?.find((event) => {
    const { activityType } = event.activityTaskScheduledEventAttributes ?? {};
    return /^createTransfers?$/.test(activityType?.name ?? '');
  });
  const boundaries = await boundariesOf(orders, { id, runId });
  const boundary =
    where === 'before the first line'
      ? boundaries.filter((eventId) => eventId < Number(firstLine?.eventId)).at(-1)
      : boundaries.at(where);
  return resetTo(orders, { id, runId }, { boundary: boundary ?? 0, reapply });
}

describe('a payout with half of its lines sent and one of its runs reset', () => {
  test.concurrent.each([
    ['its shard, to the beginning', ':shard:1', 0, true],
    ['its shard, to the moment before its first line', ':shard:1', 'before the first line', true],
    ['its shard, to the last event', ':shard:1', -1, true],
    ['its shard, without the signals and updates since', ':shard:1', 1, false],
    ['the payout, to the beginning', '', 0, true],
    ['the payout, to the last event', '', -1, true],
  ] as const)('pays each line once: %s', async (_what, suffix, where, reapply) => {
    const { till, orders, lines, workflowId, goOn } = await halfWay();
    await resetAt(orders, `${workflowId}${suffix}`, { where, reapply });
    if (!reapply) await orders.client.workflow.getHandle(workflowId).signal('wake');
    expect(await goOn()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
    const results = await linesOf(orders, workflowId);
    expect(results.map(({ outcome }) => outcome)).toEqual(lines.map(() => 'paid'));
  });
});

test.each([1, 2])(
  'a payout with its own lines that is reset to its task %d checks its money no second time',
  async (task) => {
    const till = openTill({ wallets: 1 });
    const orders = await serve(till.custody);
    till.settings.settleMs = 600_000;
    const lines = newLines(8);
    const order = payoutOf(till.wallets, { openMax: 4, lines });
    const { workflowId } = await orders.steadfast.start(
      'payout',
      `payout:${order.payoutId}`,
      order,
    );
    await until(() => till.taken.length === 4);
    // The money of the lines that were sent has left the wallet.
    till.settings.held = '0';
    await resetAt(orders, workflowId, { where: task, reapply: true });
    await orders.client.workflow.getHandle(workflowId).signal('wake');
    await sleep(3_000);
    till.settings.settleMs = 100;
    till.settle();
    expect(await orders.client.workflow.getHandle(workflowId).result()).toMatchObject({ paid: 8 });
    expectOnce(till, lines);
  },
);

describe('a payout without its seal', () => {
  test('accepts no other lines in the place of those that may have been sent', async () => {
    const { till, orders, lines, workflowId, goOn } = await halfWay();
    await resetAt(orders, workflowId, { where: 0, reapply: false });
    const handle = orders.client.workflow.getHandle(workflowId);
    const update = (name: string, request: object) =>
      handle.executeUpdate<unknown, [object]>(name, { args: [request] });
    await expect(update('addLines', { part: 1, lines: newLines(8) })).rejects.toMatchObject({
      cause: {
        message: expect.stringMatching(/^part: 1 was handed over before, with other lines/),
      },
    });
    await update('addLines', { part: 1, lines });
    await update('seal', { parts: 1, totals: sumByToken(lines) });
    expect(await goOn()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
  });
});

describe('a shard that was terminated', () => {
  test('is started again by its payout, and pays nothing twice', async () => {
    const { till, orders, lines, workflowId, goOn } = await halfWay();
    const { workflow } = orders.client;
    await workflow.getHandle(`${workflowId}:shard:1`).terminate('a test');
    await workflow.getHandle(workflowId).signal('wake');
    expect(await goOn()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
  });
});

describe('a payout that continues as new every few events', () => {
  const temporal = inTemporal({ 'limit.historyCount.suggestContinueAsNew': '30' });

  test('pays each line once, and reports all of them', async () => {
    const till = openTill();
    const orders = await serve(till.custody, { address: temporal.address });
    const lines = newLines(60);
    const order = payoutOf(till.wallets, { openMax: 10 });
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    expect(await receipt()).toMatchObject({ lines: 60, paid: 60 });
    expectOnce(till, lines);
    const results = await linesOf(orders, workflowId);
    expect(results.map(({ lineId }) => lineId)).toEqual(lines.map(({ lineId }) => lineId));
    expect(results.filter(({ outcome, txHash }) => outcome === 'paid' && txHash)).toHaveLength(60);
    for (const id of [workflowId, `${workflowId}:shard:1`]) {
      const { raw, runId } = await orders.client.workflow.getHandle(id).describe();
      expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(runId);
    }
  });

  test('accepts all parts, over as many runs as needed', async () => {
    const till = openTill();
    const orders = await serve(till.custody, { address: temporal.address });
    const order = payoutOf(till.wallets);
    const id = `payout:${order.payoutId}`;
    const { receipt, runId } = await orders.steadfast.start('payout', id, order);
    const handle = orders.client.workflow.getHandle(id);
    const parts = Array.from({ length: 20 }, () => newLines(2));
    for (const [at, lines] of parts.entries()) {
      await handle.executeUpdate('addLines', { args: [{ part: at + 1, lines }] });
    }
    expect((await handle.describe()).runId).not.toBe(runId);
    const totals = sumByToken(parts.flat());
    await handle.executeUpdate('seal', { args: [{ parts: parts.length, totals }] });
    expect(await receipt()).toMatchObject({ lines: 40, paid: 40 });
    expectOnce(till, parts.flat());
  });
});
