import type { LineResult } from '../../../src/client/client';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { refId } from '../../../src/custody/reference';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe, type Orders } from '../../support/orders';
import { linesOf, newLine, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();
const refused = () => new RefusedError('no funds', { status: 400, code: 155258 });
const lost = () => new NoAnswerError('lost');

async function scene(options: { wallets?: number } = {}): Promise<{ till: Till; orders: Orders }> {
  const till = openTill(options);
  return { till, orders: await serve(till.custody) };
}

/** Outcomes by line, in the order of the lines. */
const outcomes = (lines: readonly LineResult[]) => lines.map(({ outcome }) => outcome);

/** The number of times that each line has moved money, in the order of the lines. */
function moves({ taken }: Till, lines: readonly { to: string }[]): number[] {
  const moved = taken.filter(({ state }) => state === 'COMPLETE');
  return lines.map(
    ({ to }) => moved.filter((one) => one.destinationAddress?.toLowerCase() === to).length,
  );
}

/** Has the transfer to this line's recipient fare so. */
function troubleFor(
  till: Till,
  { to }: { to: string },
  trouble: (
    call: number,
    take: () => { id: string; state: string },
  ) => { id: string; state: string },
): void {
  const others = till.settings.onTransfer;
  let calls = 0;
  till.settings.onTransfer = (input, take) => {
    if (input.destinationAddress.toLowerCase() !== to) return others(input, take);
    calls += 1;
    return trouble(calls, take);
  };
}

describe('a line of a payout', () => {
  test.concurrent('that fails blocks no other, and says why', async () => {
    const { till, orders } = await scene();
    const lines = newLines(12);
    const [denied, broke, cut] = [lines[2], lines[5], lines[7]].map((line) => line ?? newLine());
    troubleFor(till, broke ?? newLine(), () => {
      throw refused();
    });
    troubleFor(till, cut ?? newLine(), (call, take) => {
      const taken = take();
      if (call === 1) throw lost();
      return taken;
    });
    till.settings.fate = ({ destinationAddress }) =>
      destinationAddress?.toLowerCase() === denied?.to
        ? { state: 'DENIED', errorReason: 'TRANSFER_DENIED' }
        : { state: 'COMPLETE' };
    const started = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    expect(await started.receipt()).toMatchObject({ lines: 12, paid: 10, failed: 2 });
    const results = await linesOf(orders, started.workflowId);
    expect(results[2]).toMatchObject({
      outcome: 'failed',
      reason: 'Its transaction ended as DENIED: TRANSFER_DENIED.',
    });
    expect(results[5]).toMatchObject({ outcome: 'failed', reason: 'no funds' });
    expect(moves(till, lines)).toEqual(lines.map((_, at) => (at === 2 || at === 5 ? 0 : 1)));
  });

  test.concurrent('that has failed is retried under a new key, and no other is', async () => {
    const { till, orders } = await scene();
    const lines = newLines(5);
    const last = lines[4] ?? newLine();
    let isOpen = false;
    troubleFor(till, last, (_, take) => {
      if (isOpen) return take();
      throw refused();
    });
    const started = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    expect(await started.receipt()).toMatchObject({ paid: 4, failed: 1 });
    isOpen = true;
    const { workflowId } = started;
    const again = await orders.steadfast.retry(workflowId);
    expect(await again.receipt()).toMatchObject({ lines: 5, paid: 5, failed: 0 });
    expect(moves(till, lines)).toEqual([1, 1, 1, 1, 1]);
    const results = await linesOf(orders, workflowId);
    expect(results.map(({ generation }) => generation)).toEqual([0, 0, 0, 0, 1]);
    await expect(orders.steadfast.retry(workflowId)).rejects.toThrow('no line of this payout has');
    await expect(orders.steadfast.retry(workflowId, [last.lineId])).rejects.toThrow('is paid');
  });

  test.concurrent('whose transaction has failed is retried under a new key', async () => {
    const { till, orders } = await scene();
    const lines = newLines(2);
    const last = lines[1] ?? newLine();
    troubleFor(till, last, (call, take) => {
      const taken = take();
      const record = till.taken.at(-1);
      if (call === 1 && record !== undefined) record.state = 'FAILED';
      return taken;
    });
    const started = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    expect(await started.receipt()).toMatchObject({ paid: 1, failed: 1 });
    const again = await orders.steadfast.retry(started.workflowId);
    expect(await again.receipt()).toMatchObject({ paid: 2, failed: 0 });
    const results = await linesOf(orders, started.workflowId);
    expect(results.map(({ generation }) => generation)).toEqual([0, 1]);
  });

  test.concurrent('that has failed is retried alone, whatever else has failed before', async () => {
    const { till, orders } = await scene();
    const lines = newLines(4);
    const [one = newLine(), two = newLine()] = lines;
    const open = new Set<string>();
    for (const line of [one, two]) {
      troubleFor(till, line, (_, take) => {
        if (open.has(line.lineId)) return take();
        throw refused();
      });
    }
    const started = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    const { workflowId } = started;
    expect(await started.receipt()).toMatchObject({ paid: 2, failed: 2 });
    // The first fails once more, and a person pays it by hand then.
    const first = await orders.steadfast.retry(workflowId, [one.lineId]);
    expect(await first.receipt()).toMatchObject({ paid: 2, failed: 2 });
    open.add(one.lineId).add(two.lineId);
    const second = await orders.steadfast.retry(workflowId, [two.lineId]);
    expect(await second.receipt()).toMatchObject({ paid: 3, failed: 1 });
    expect(moves(till, lines)).toEqual([0, 1, 1, 1]);
    const results = await linesOf(orders, workflowId);
    expect(results.map(({ generation }) => generation)).toEqual([1, 1, 0, 0]);
  });

  // A part hears of the retry and of its room within milliseconds, in either order.
  test.concurrent('is retried also where all lines of its payout have failed', async () => {
    const { till, orders } = await scene();
    let isOpen = false;
    till.settings.onTransfer = (_, take) => {
      if (isOpen) return take();
      throw refused();
    };
    const payouts = await Promise.all(
      Array.from({ length: 12 }, () =>
        orders.steadfast.payout(payoutOf(till.wallets), newLines(2)),
      ),
    );
    for (const payout of payouts) expect(await payout.receipt()).toMatchObject({ failed: 2 });
    isOpen = true;
    const again = await Promise.all(
      payouts.map(({ workflowId }) => orders.steadfast.retry(workflowId)),
    );
    for (const one of again) expect(await one.receipt()).toMatchObject({ paid: 2, failed: 0 });
    expect(till.taken).toHaveLength(24);
  });

  test.concurrent('is retried once by the same request, also where that is asked again', async () => {
    const { till, orders } = await scene();
    const lines = newLines(3);
    const [one = newLine(), held = newLine(), other = newLine()] = lines;
    troubleFor(till, one, () => {
      throw refused();
    });
    till.settings.fate = ({ destinationAddress }) => ({
      state: destinationAddress?.toLowerCase() === held.to ? 'SENT' : 'COMPLETE',
    });
    const { update, handle, workflowId } = await openedPayout(orders, payoutOf(till.wallets));
    await update('addLines', { part: 1, lines });
    await update('seal', { parts: 1, totals: sumByToken(lines) });
    const failedAt = async (generation: number) => {
      for (;;) {
        const [line] = await linesOf(orders, workflowId);
        if (line?.outcome === 'failed' && line.generation === generation) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await failedAt(0);
    const targets = [`line/${one.lineId}#0`];
    expect(await update('retry', { targets })).toBe('{"lines":1}');
    await failedAt(1);
    expect(await update('retry', { targets })).toBe('{"lines":1}');
    const paid = `line/${other.lineId}#0`;
    const words = `targets: ${paid} has not failed: ${paid} is paid. Retry only failed lines.`;
    while ((await linesOf(orders, workflowId))[2]?.outcome !== 'paid') await Promise.resolve();
    expect(await update('retry', { targets: [paid] })).toBe(words);
    expect(await update('retry', { targets: [`line/${one.lineId}#2`] })).toContain(
      'has not failed',
    );
    expect(await update('retry', { targets: ['line/nobody#0'] })).toContain('of no line of this');
    expect(await update('retry', { targets: ['nobody'] })).toMatch(/^targets: must be a list of/);
    till.settings.fate = () => ({ state: 'COMPLETE' });
    expect(await handle.result()).toMatchObject({ paid: 2, failed: 1 });
    expect((await linesOf(orders, workflowId))[0]?.generation).toBe(1);
  });

  test.concurrent('that is unknown waits for a person, and is sent again under its key', async () => {
    const { till, orders } = await scene();
    const lines = newLines(3);
    const one = lines[1] ?? newLine();
    const keys: string[] = [];
    const take = till.settings.onTransfer;
    till.settings.onTransfer = (input, taking) => {
      if (input.destinationAddress.toLowerCase() !== one.to) return take(input, taking);
      keys.push(input.idempotencyKey);
      if (keys.length === 1) throw lost();
      if (keys.length === 2) throw refused();
      return taking();
    };
    const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    const { target, payout } = await orders.progress(
      workflowId,
      // The others are paid whatever becomes of it.
      (progress) => progress.status === 'Unknown' && progress.payout?.paid === 2,
    );
    expect(target).toBe(`line/${one.lineId}#0`);
    expect(payout).toMatchObject({ lines: 3, paid: 2, unknown: 1 });
    const finding = { target: target ?? '', finding: 'noEffect' as const, evidence: 'I looked' };
    expect(await orders.steadfast.resolve(workflowId, finding)).toContain('is sent again');
    expect(await receipt()).toMatchObject({ paid: 3, unknown: 0 });
    expect(moves(till, lines)).toEqual([1, 1, 1]);
    expect(new Set(keys).size).toBe(1);
  });

  test.concurrent('that is unknown can be given up, and stays unknown', async () => {
    const { till, orders } = await scene();
    const lines = newLines(3);
    const one = lines[1] ?? newLine();
    troubleFor(till, one, (call) => {
      throw call === 1 ? lost() : refused();
    });
    const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    await orders.progress(workflowId, ({ status }) => status === 'Unknown');
    const words = await orders.steadfast.skip(workflowId, [one.lineId], 'settled by hand');
    expect(words).toBe(`${one.lineId} is given up, and stays unknown.`);
    expect(await receipt()).toMatchObject({ paid: 2, unknown: 1 });
    expect(outcomes(await linesOf(orders, workflowId))).toEqual(['paid', 'unknown', 'paid']);
  });
});

describe('a finding on a line that is unknown', () => {
  /** A line that was accepted without its reference, and of which no answer came. */
  async function unknown() {
    const { till, orders } = await scene({ wallets: 1 });
    const lines = newLines(2);
    const one = lines[0] ?? newLine();
    troubleFor(till, one, (call, take) => {
      if (call > 1) throw refused();
      take();
      const record = till.taken.at(-1);
      if (record !== undefined) delete record.refId;
      throw lost();
    });
    const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    await orders.progress(workflowId, ({ status }) => status === 'Unknown');
    const resolve = (finding: 'completed' | 'retry', evidence = 'x') => {
      const target = `line/${one.lineId}#0`;
      return orders.steadfast.resolve(workflowId, { target, finding, evidence });
    };
    const mine = (record: { destinationAddress?: string | undefined }) =>
      record.destinationAddress?.toLowerCase() === one.to;
    return { till, orders, lines, workflowId, receipt, resolve, mine };
  }

  test.concurrent("that it was accepted goes on from that transaction, if it is the line's", async () => {
    const { till, lines, receipt, resolve, mine } = await unknown();
    const other = till.taken.find((record) => !mine(record));
    await expect(resolve('completed')).rejects.toThrow('must be the id of the transaction');
    await expect(resolve('completed', other?.id)).rejects.toThrow(
      /is no transaction of this write/,
    );
    await expect(resolve('retry', till.taken.find(mine)?.id)).rejects.toThrow('A retry needs');
    expect(await resolve('completed', till.taken.find(mine)?.id)).toContain('goes on from that');
    expect(await receipt()).toMatchObject({ paid: 2, unknown: 0 });
    expect(moves(till, lines)).toEqual([1, 1]);
  });

  test.concurrent('that it had no effect has it retried', async () => {
    const { till, orders, lines, workflowId, receipt, resolve, mine } = await unknown();
    const record = till.taken.find(mine);
    if (record === undefined) throw new Error('The line was not accepted.');
    record.state = 'FAILED';
    till.settings.onTransfer = (_, take) => take();
    await expect(resolve('retry', record.id)).rejects.toThrow('does not carry the reference of');
    const item = lines[0]?.lineId ?? '';
    record.refId = refId({ workflowId, step: 'line', item, generation: 0 });
    expect(await resolve('retry', record.id)).toContain(
      'is sent again, under a new key, once it is proven',
    );
    expect(await receipt()).toMatchObject({ paid: 2 });
    expect(moves(till, lines)).toEqual([1, 1]);
    expect((await linesOf(orders, workflowId))[0]?.generation).toBe(1);
  });
});

describe('a payout that was ended from outside', () => {
  test.concurrent('sends nothing more, and goes on when it is started again', async () => {
    const { till, orders } = await scene();
    const lines = newLines(6);
    const order = payoutOf(till.wallets, { linesPerS: 0.2 });
    const { workflowId } = await orders.steadfast.payout(order, lines);
    while (till.taken.length < 1) await new Promise((resolve) => setTimeout(resolve, 100));
    const { workflow } = orders.client;
    await workflow.getHandle(workflowId).terminate('a test');
    const shard = workflow.getHandle(`${workflowId}:shard:1`);
    const { lines: left } = (await shard.result()) as { lines: LineResult[] };
    expect(outcomes(left)).toContain('waiting');
    const { receipt } = await orders.steadfast.payout({ ...order, linesPerS: 100 }, lines);
    expect(await receipt()).toMatchObject({ lines: 6, paid: 6 });
    expect(moves(till, lines)).toEqual(lines.map(() => 1));
    expect(till.taken).toHaveLength(6);
  });
});
