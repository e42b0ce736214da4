import { setTimeout as sleep } from 'node:timers/promises';
import { WithheldError } from '../../../src/custody/errors';
import { createServe, type Orders } from '../../support/orders';
import { linesOf, newLine, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();

async function scene(options: { wallets?: number } = {}): Promise<{ till: Till; orders: Orders }> {
  const till = openTill(options);
  return { till, orders: await serve(till.custody) };
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await sleep(50);
}

describe('a payout that is under way', () => {
  test.concurrent('sends nothing while it is paused, and goes on when it is resumed', async () => {
    const { till, orders } = await scene();
    const { steadfast } = orders;
    // Held, so that the pause comes before the end.
    till.settings.settleMs = 600_000;
    const order = payoutOf(till.wallets, { openMax: 3 });
    const { workflowId, receipt } = await steadfast.payout(order, newLines(9));
    await until(() => till.taken.length === 3);
    await steadfast.pause(workflowId, 'lunch');
    await orders.progress(workflowId, ({ status }) => status === 'Paused');
    const shard = orders.client.workflow.getHandle(`${workflowId}:shard:1`);
    const steered = async () => (await shard.fetchHistory()).events?.length ?? 0;
    const before = await steered();
    till.settle();
    await orders.progress(workflowId, ({ payout }) => payout?.paid === 3);
    expect(await steered()).toBeGreaterThan(before);
    expect(till.taken).toHaveLength(3);
    till.settings.settleMs = 100;
    await steadfast.resume(workflowId);
    expect(await receipt()).toMatchObject({ paid: 9 });
  });

  test.concurrent('that is cancelled settles what is sent, and skips the rest', async () => {
    const { till, orders } = await scene();
    const { steadfast } = orders;
    till.settings.settleMs = 600_000;
    const lines = newLines(9);
    const order = payoutOf(till.wallets, { openMax: 3 });
    const { workflowId, receipt } = await steadfast.payout(order, lines);
    await until(() => till.taken.length === 3);
    await steadfast.cancel(workflowId, 'wrong month');
    till.settle();
    expect(await receipt()).toMatchObject({ paid: 3, skipped: 6, stopped: expect.any(String) });
    expect(till.taken).toHaveLength(3);
    const handle = orders.client.workflow.getHandle(workflowId);
    expect((await handle.describe()).searchAttributes.SteadfastStatus).toEqual(['Cancelled']);
    const again = await steadfast.payout(order, lines);
    expect(again.outcome).toBe('completed');
    const others = steadfast.payout(order, newLines(9));
    await expect(others).rejects.toThrow('was handed over before, with other lines: line ');
  });

  test.concurrent('that is cancelled after its last line was sent was not cut short', async () => {
    const { till, orders } = await scene();
    till.settings.settleMs = 600_000;
    const lines = newLines(3);
    const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    await until(() => till.taken.length === 3);
    await orders.steadfast.cancel(workflowId, 'wrong month');
    till.settle();
    const paid = await receipt();
    expect(paid).toMatchObject({ paid: 3, skipped: 0 });
    expect(paid.stopped).toBeUndefined();
  });

  test.concurrent('that is cancelled before its seal is cancelled as any order is', async () => {
    const { till, orders } = await scene();
    const order = payoutOf(till.wallets);
    const id = `payout:${order.payoutId}`;
    const { receipt } = await orders.steadfast.start('payout', id, order);
    const handle = orders.client.workflow.getHandle(id);
    await handle.executeUpdate('addLines', { args: [{ part: 1, lines: newLines(2) }] });
    await orders.steadfast.cancel(id, 'wrong month');
    await expect(receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    const results = await linesOf(orders, id);
    expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
    expect(till.taken).toEqual([]);
  });

  test.concurrent('keeps the rate that it is given, and takes another one', async () => {
    const { till, orders } = await scene();
    const { steadfast } = orders;
    const order = payoutOf(till.wallets, { linesPerS: 0.01 });
    const { workflowId, receipt } = await steadfast.payout(order, newLines(20));
    await until(() => till.taken.length === 1);
    await expect(steadfast.rate(workflowId, 0)).rejects.toThrow('linesPerS: must be a number from');
    const since = Date.now();
    await steadfast.rate(workflowId, 5);
    expect(await receipt()).toMatchObject({ paid: 20 });
    // The first second's worth goes at once.
    expect(Date.now() - since).toBeGreaterThan(2_500);
    expect(mostAhead(till, { since, perS: 5 })).toBeLessThanOrEqual(5);
  });

  test.concurrent('skips a line that waits, and no line that was sent', async () => {
    const { till, orders } = await scene();
    const { steadfast } = orders;
    const lines = newLines(3);
    const order = payoutOf(till.wallets, { linesPerS: 0.01 });
    const { workflowId, receipt } = await steadfast.payout(order, lines);
    await until(() => till.taken.length === 1);
    const [sent, ...waiting] = lines.map(({ lineId }) => lineId);
    const skip = (...ids: (string | undefined)[]) =>
      steadfast.skip(workflowId, ids.map(String), 'left us');
    await expect(skip('nobody')).rejects.toThrow('no part of this payout has "nobody"');
    const words = await skip(sent, waiting[0]);
    expect(words).toMatch(
      new RegExp(`^${sent} is not skipped: it [^;]+; ${waiting[0]} is skipped`),
    );
    await skip(waiting[1]);
    expect(await receipt()).toMatchObject({ paid: 1, skipped: 2 });
    expect(till.taken).toHaveLength(1);
  });

  test.concurrent('asks at once when it is woken, though its writer said to come later', async () => {
    const { till, orders } = await scene({ wallets: 1 });
    let asked = 0;
    till.settings.onTransfer = () => {
      asked += 1;
      throw new WithheldError('Its window is full.', { next: 'again', afterMs: 600_000 });
    };
    const order = payoutOf(till.wallets, { openMax: 1 });
    const { workflowId, receipt } = await orders.steadfast.payout(order, newLines(2));
    await until(() => asked === 1);
    till.settings.onTransfer = (_, take) => take();
    await orders.client.workflow.getHandle(workflowId).signal('wake');
    expect(await receipt()).toMatchObject({ paid: 2 });
  });

  test.concurrent('says why its last line waits, though others were let out after it', async () => {
    const { till, orders } = await scene({ wallets: 1 });
    const lines = newLines(4);
    const [first] = lines;
    let isFull = true;
    till.settings.onTransfer = async ({ destinationAddress }, take) => {
      if (destinationAddress.toLowerCase() === first?.to.toLowerCase() && isFull) {
        throw new WithheldError('Its window is full.', { next: 'again', afterMs: 600_000 });
      }
      await sleep(isFull ? 500 : 0);
      return take();
    };
    const order = payoutOf(till.wallets, { openMax: 4 });
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    const { waitingFor } = await orders.progress(workflowId, ({ payout }) => payout?.paid === 3);
    expect(waitingFor).toContain('1 of 4 lines, in 1 part. Its window is full.');
    isFull = false;
    await orders.client.workflow.getHandle(workflowId).signal('wake');
    expect(await receipt()).toMatchObject({ paid: 4 });
  });

  test.concurrent('pays all lines but one that its writer holds back without a time', async () => {
    const { till, orders } = await scene({ wallets: 1 });
    const lines = newLines(4);
    const [first] = lines;
    let isHeld = true;
    till.settings.onTransfer = ({ destinationAddress }, take) => {
      if (!isHeld || destinationAddress.toLowerCase() !== first?.to.toLowerCase()) return take();
      throw new WithheldError('Nobody has screened it.', { next: 'again' });
    };
    const order = payoutOf(till.wallets, { openMax: 4 });
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    await orders.progress(workflowId, ({ payout }) => payout?.paid === 3);
    isHeld = false;
    await orders.client.workflow.getHandle(workflowId).signal('wake');
    expect(await receipt()).toMatchObject({ paid: 4 });
  });

  test.concurrent('keeps the reserve of each wallet, and pays what waited once there is more', async () => {
    const { till, orders } = await scene({ wallets: 1 });
    till.settings.held = '100';
    const lines = [newLine({ amount: '4' }), newLine({ amount: '30' }), newLine({ amount: '1' })];
    const order = payoutOf(till.wallets, { reservePerWallet: '60', openMax: 1 });
    till.settings.onTransfer = (_, take) => {
      // Somebody else spends from it meanwhile.
      if (till.taken.length === 0) till.settings.held = '70';
      return take();
    };
    const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
    await orders.progress(workflowId, ({ payout }) => payout?.paid === 2);
    // While its wallet is looked at again, the line has no reason to wait.
    const reasonOf = async () => (await linesOf(orders, workflowId))[1]?.reason;
    const holds = /holds too little USDC above its reserve\.$/;
    while (!holds.test((await reasonOf()) ?? '')) await new Promise((go) => setTimeout(go, 50));
    expect((await linesOf(orders, workflowId))[1]).toMatchObject({ outcome: 'waiting' });
    expect(till.taken.map(({ amounts }) => amounts?.[0])).toEqual(['4', '1']);
    till.settings.held = '100';
    expect(await receipt()).toMatchObject({ paid: 3 });
  });

  test.concurrent('keeps it of a native coin and its twin together, where they are one money', async () => {
    const { till, orders } = await scene({ wallets: 1 });
    Object.assign(till.settings, { held: '100', settleMs: 600_000 });
    const lines = [newLine({ amount: '25', token: 'native' }), newLine({ amount: '14' })];
    const order = payoutOf(till.wallets, { reservePerWallet: '60' });
    const { update, handle, workflowId } = await openedPayout(orders, order);
    await update('addLines', { part: 1, lines });
    await update('pause', { reason: 'somebody else spends' });
    await update('seal', { parts: 1, totals: { native: '25', USDC: '14' } });
    till.settings.held = '90';
    await update('resume', {});
    // Either of them leaves enough, and both do not.
    const short = async () => (await linesOf(orders, workflowId)).filter(({ reason }) => reason);
    await until(() => till.taken.length === 1);
    let held = await short();
    // While a line is tried again, it has no reason.
    for (; held.length === 0; held = await short()) await sleep(100);
    expect(held).toMatchObject([
      { outcome: 'waiting', reason: expect.stringContaining('holds too little USDC above') },
    ]);
    Object.assign(till.settings, { held: '200', settleMs: 0 });
    till.settle();
    expect(await handle.result()).toMatchObject({ paid: 2 });
  });
});

/**
 * The number of lines by which the till was ahead of a rate, at the worst. The line before the rate
 * was set does not count. A slow machine is behind, and never ahead.
 */
function mostAhead({ taken }: Till, { since, perS }: { since: number; perS: number }): number {
  const ahead = taken.slice(1).map(({ createDate }, before) => {
    const elapsedS = (Date.parse(createDate) - since) / 1_000;
    return before + 1 - elapsedS * perS;
  });
  return Math.max(...ahead);
}
