import { setTimeout as sleep } from 'node:timers/promises';
import type { LineResult } from '../../../src/client/client';
import { RefusedError } from '../../../src/custody/errors';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe, type Orders } from '../../support/orders';
import { linesOf, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();

async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await sleep(50);
}

/** Expects one accepted transfer for each line. A line that is paid twice has two. */
function expectOnce({ taken }: Till, lines: readonly { to: string }[]): void {
  const to = taken.map(({ destinationAddress }) => destinationAddress?.toLowerCase());
  expect(to.sort()).toEqual(lines.map((line) => line.to).sort());
}

const shardOf = ({ client }: Orders, id: string) => client.workflow.getHandle(`${id}:shard:1`);

/** Has Temporal forget a closed workflow, as it does after its retention. */
async function forget({ client }: Orders, workflowId: string): Promise<void> {
  await client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
  });
  const isKnown = () => client.workflow.getHandle(workflowId).describe();
  await until(() =>
    isKnown().then(
      () => false,
      () => true,
    ),
  );
}

/** A payout whose first lines are accepted and do not settle yet. */
async function halfWay(change: object, sent: number) {
  const till = openTill();
  const orders = await serve(till.custody);
  till.settings.settleMs = 600_000;
  const lines = newLines(8);
  const order = payoutOf(till.wallets, change);
  const { workflowId } = await orders.steadfast.payout(order, lines);
  await until(() => till.taken.length >= sent);
  const terminate = () => orders.client.workflow.getHandle(workflowId).terminate('a test');
  return { till, orders, lines, order, workflowId, terminate };
}

describe('a payout that was terminated', () => {
  test.concurrent('goes on with lines that were never sent, also after the life of a key', async () => {
    const till = openTill();
    const orders = await serve(till.custody, { keyLifetimeMs: 2_000 });
    till.settings.settleMs = 600_000;
    const lines = newLines(8);
    const order = payoutOf(till.wallets, { openMax: 4 });
    const { workflowId } = await orders.steadfast.payout(order, lines);
    await until(() => till.taken.length >= 4);
    await shardOf(orders, workflowId).terminate('a test');
    await orders.client.workflow.getHandle(workflowId).terminate('a test');
    await sleep(2_500);
    till.settings.settleMs = 100;
    till.settle();
    const again = await orders.steadfast.payout(order, lines);
    expect(await again.receipt()).toMatchObject({ lines: 8, paid: 8, unknown: 0 });
    expectOnce(till, lines);
  });

  test.concurrent('sends no line after a few seconds, though none settles', async () => {
    const { till, orders, workflowId, terminate } = await halfWay({ linesPerS: 0.5 }, 1);
    await terminate();
    // For five seconds a worker believes what Temporal said last.
    await sleep(6_500);
    const sent = till.taken.length;
    await sleep(5_000);
    expect(till.taken).toHaveLength(sent);
    till.settle();
    const { lines } = (await shardOf(orders, workflowId).result()) as { lines: LineResult[] };
    expect(lines.filter(({ outcome }) => outcome === 'paid')).toHaveLength(sent);
    expect(lines.filter(({ outcome }) => outcome === 'waiting')).toHaveLength(8 - sent);
  });

  test.concurrent('pays every line once when its last line settles before the new seal', async () => {
    const { till, orders, lines, order, workflowId, terminate } = await halfWay({ openMax: 4 }, 4);
    const shard = shardOf(orders, workflowId);
    await terminate();
    await sleep(5_500);
    // All but one settle, so that the shard tries to send, and learns that its payout has ended.
    const last = till.taken[3];
    till.settings.fate = ({ id }) => ({ state: id === last?.id ? 'SENT' : 'COMPLETE' });
    till.settle();
    await sleep(3_000);
    const { update, handle } = await openedPayout(orders, order);
    await update('addLines', { part: 1, lines });
    till.settings.fate = () => ({ state: 'COMPLETE' });
    till.settings.settleMs = 100;
    await until(async () => {
      const own = await shard.query<LineResult[]>('lines');
      return own.filter(({ outcome }) => outcome === 'paid').length === 4;
    });
    await sleep(2_000);
    expect(till.taken).toHaveLength(4);
    expect(await update('seal', { parts: 1, totals: sumByToken(lines) })).toContain('warnings');
    expect(await handle.result()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
    expect((await linesOf(orders, workflowId)).map(({ outcome }) => outcome)).toEqual(
      lines.map(() => 'paid'),
    );
  });

  test.concurrent('tells what was accepted when it is started again and cancelled', async () => {
    const { till, orders, order, workflowId, terminate } = await halfWay({ openMax: 4 }, 4);
    await terminate();
    const { handle } = await openedPayout(orders, order);
    const { timeline, payout } = await orders.progress(
      workflowId,
      (progress) => progress.payout?.lines === 8,
    );
    expect(payout).toMatchObject({ parts: 1, sealed: false });
    expect(timeline.map(({ words }) => words)).toContainEqual(
      expect.stringMatching(/^found 1 part of an earlier run, with 8 lines/),
    );
    await orders.steadfast.cancel(workflowId, 'wrong month');
    // A line that settled before the shard hears of it would make room for the next one.
    await until(async () => {
      const results = await linesOf(orders, workflowId);
      return results.filter(({ outcome }) => outcome === 'skipped').length === 4;
    });
    till.settle();
    expect(await handle.result()).toMatchObject({ lines: 8, paid: 4, skipped: 4 });
    expect(till.taken).toHaveLength(4);
  });
});

describe('a payout of which a part', () => {
  test.concurrent('says that it is over believes its result alone', async () => {
    const { till, orders, lines, workflowId } = await halfWay({ openMax: 4 }, 4);
    const handle = orders.client.workflow.getHandle(workflowId);
    const tally = { lines: 8, paid: 8, failed: 0, unknown: 0, skipped: 0, amounts: {} };
    await handle.signal('report', { part: 1, tally, unknown: [], isOver: true });
    await sleep(3_000);
    expect((await handle.describe()).status.name).toBe('RUNNING');
    till.settings.settleMs = 100;
    till.settle();
    expect(await handle.result()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
  });

  test.concurrent('was terminated when it was done runs again, and pays nothing twice', async () => {
    const { till, orders, lines, workflowId } = await halfWay({}, 8);
    await orders.restart();
    await shardOf(orders, workflowId).terminate('a test');
    till.settings.settleMs = 100;
    till.settle();
    const handle = orders.client.workflow.getHandle(workflowId);
    await handle.signal('wake');
    expect(await handle.result()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
  });

  test.concurrent('was deleted asks for its lines again, and pays nothing twice', async () => {
    const { till, orders, lines, workflowId } = await halfWay({}, 8);
    const { client } = orders;
    const shard = shardOf(orders, workflowId);
    await shard.terminate('a test');
    await forget(orders, shard.workflowId);
    const handle = client.workflow.getHandle(workflowId);
    await handle.signal('wake');
    const { waitingFor } = await orders.progress(
      workflowId,
      ({ status }) => status === 'NeedsOperator',
    );
    expect(waitingFor).toMatch(/^part 1: Temporal has forgotten its lines\. Hand the same lines/);
    till.settings.settleMs = 100;
    till.settle();
    await handle.executeUpdate('addLines', { args: [{ part: 1, lines }] });
    expect(await handle.result()).toMatchObject({ lines: 8, paid: 8 });
    expectOnce(till, lines);
  });
});

test('a part that was deleted is handed over again by the payout that has its lines', async () => {
  const till = openTill();
  const orders = await serve(till.custody);
  till.settings.settleMs = 600_000;
  const lines = newLines(8);
  const { handle, workflowId } = await openedPayout(orders, { ...payoutOf(till.wallets), lines });
  await until(() => till.taken.length >= 8);
  const shard = shardOf(orders, workflowId);
  await shard.terminate('a test');
  await forget(orders, shard.workflowId);
  till.settings.settleMs = 100;
  till.settle();
  await handle.signal('wake');
  expect(await handle.result()).toMatchObject({ lines: 8, paid: 8 });
  expectOnce(till, lines);
});

describe('a payout that has kept the result of a part', () => {
  test.concurrent('needs that part no more', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    const { update, handle, workflowId } = await openedPayout(orders, payoutOf(till.wallets));
    const [early, late] = [newLines(2), newLines(2)];
    till.settings.fate = ({ destinationAddress }) => {
      const isLate = late.some(({ to }) => to === destinationAddress?.toLowerCase());
      return { state: isLate ? 'SENT' : 'COMPLETE' };
    };
    await update('addLines', { part: 1, lines: early });
    await update('addLines', { part: 2, lines: late });
    await update('seal', { parts: 2, totals: sumByToken([...early, ...late]) });
    await until(() => till.taken.length === 4);
    await shardOf(orders, workflowId).result();
    await orders.progress(workflowId, ({ waitingFor }) => waitingFor.endsWith('in 1 part'));
    await forget(orders, `${workflowId}:shard:1`);
    expect(await update('retry', { targets: [`line/${early[0]?.lineId}#0`] })).toMatch(
      /of no line of this payout\. Temporal has forgotten \S+:shard:1\. Once Temporal has forgotten the payout/,
    );
    till.settings.fate = () => ({ state: 'COMPLETE' });
    const receipt = await handle.result();
    expect(receipt).toMatchObject({ lines: 4, paid: 4 });
    expect(receipt.parts).toMatchObject([
      { part: 1, paid: 2, runId: expect.any(String), digest: expect.any(String) },
      { part: 2, paid: 2, runId: expect.any(String), digest: expect.any(String) },
    ]);
  });
});

describe('a payout whose new attempt was terminated', () => {
  /** A payout of three lines whose first one has failed, and is paid by whatever comes later. */
  async function failed() {
    const till = openTill();
    const orders = await serve(till.custody);
    const lines = newLines(3);
    till.settings.fate = ({ destinationAddress }) => ({
      state: destinationAddress?.toLowerCase() === lines[0]?.to ? 'FAILED' : 'COMPLETE',
    });
    const order = payoutOf(till.wallets, { lines });
    const start = () =>
      orders.client.workflow.start('payout', {
        workflowId: `payout:${order.payoutId}`,
        taskQueue: orders.taskQueue,
        args: [order],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
    const first = await start();
    expect(await first.result()).toMatchObject({ paid: 2, failed: 1 });
    till.settings.fate = () => ({ state: 'COMPLETE' });
    return { till, orders, lines, workflowId: first.workflowId, start };
  }

  test.concurrent('tells what it has paid when it is started again as it was', async () => {
    const { till, orders, workflowId, start } = await failed();
    till.settings.settleMs = 600_000;
    await orders.steadfast.retry(workflowId);
    await until(() => till.taken.length === 4);
    await orders.client.workflow.getHandle(workflowId).terminate('a test');
    till.settings.settleMs = 10;
    till.settle();
    const again = await start();
    expect(await again.result()).toMatchObject({ lines: 3, paid: 3, failed: 0 });
    expect((await linesOf(orders, workflowId)).map(({ outcome }) => outcome)).toEqual(
      Array(3).fill('paid'),
    );
    expect(till.taken).toHaveLength(4);
    const third = await start();
    expect(await third.result()).toMatchObject({ paid: 3, failed: 0 });
    expect(till.taken).toHaveLength(4);
  });

  /** A payout of four lines that was cancelled, and whose continuation was ended. */
  async function continued({ isUnpaid = false } = {}) {
    const till = openTill({ wallets: 1 });
    const orders = await serve(till.custody);
    const lines = newLines(4);
    const order = payoutOf(till.wallets, { lines, openMax: 1 });
    const id = `payout:${order.payoutId}`;
    const handle = orders.client.workflow.getHandle(id);
    till.settings.settleMs = 600_000;
    const isRefusing = { key: isUnpaid };
    till.settings.onTransfer = (_, take) => {
      if (isRefusing.key) throw new RefusedError('401', { status: 401, code: 156007 });
      return take();
    };
    const start = () => orders.steadfast.start('payout', id, order);
    const cancel = () => orders.steadfast.cancel(id, 'wrong month');
    await start();
    if (isUnpaid) await orders.progress(id, ({ waitingFor }) => waitingFor.includes('401'));
    else await until(() => till.taken.length === 1);
    await cancel();
    till.settle();
    await handle.result().catch(() => undefined);
    isRefusing.key = false;
    const sent = till.taken.length;
    await orders.steadfast.continue(id);
    await until(() => till.taken.length === sent + 1);
    await handle.terminate('a test');
    return { till, orders, lines, id, handle, start, cancel };
  }

  test.concurrent.each([false, true])(
    'goes on with what it has continued when it is started again as it was: unpaid %s',
    async (isUnpaid) => {
      const { till, lines, start } = await continued({ isUnpaid });
      till.settings.settleMs = 10;
      till.settle();
      const again = await start();
      expect(await again.receipt()).toMatchObject({ paid: 4, skipped: 0 });
      expectOnce(till, lines);
    },
  );

  test.concurrent('is continued once more after it was cancelled as it went on', async () => {
    const { till, orders, lines, id, handle, start, cancel } = await continued();
    await start();
    await orders.progress(id, ({ payout }) => payout?.lines === 4);
    await sleep(1_000);
    await cancel();
    till.settle();
    expect(await handle.result()).toMatchObject({ stopped: expect.any(String) });
    till.settings.settleMs = 10;
    const last = await orders.steadfast.continue(id);
    expect(await last.receipt()).toMatchObject({ paid: 4, skipped: 0 });
    expectOnce(till, lines);
  });
});
