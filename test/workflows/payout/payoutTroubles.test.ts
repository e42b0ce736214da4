import type { LineResult } from '../../../src/client/client';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { createServe, type Orders } from '../../support/orders';
import { linesOf, newLine, newLines, payoutOf } from '../../support/payouts';
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

/** How often each line has moved money, in the order of the lines. */
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

  test.concurrent('that has failed is attempted anew under a new key, and no other is', async () => {
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
  /** A line that was taken without its reference, and of which no answer came. */
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

  test.concurrent("that it was taken goes on from that transaction, if it is the line's", async () => {
    const { till, lines, receipt, resolve, mine } = await unknown();
    const other = till.taken.find((record) => !mine(record));
    await expect(resolve('completed')).rejects.toThrow('must be the id of the transaction');
    await expect(resolve('completed', other?.id)).rejects.toThrow(
      /is no transaction of this write/,
    );
    await expect(resolve('retry', till.taken.find(mine)?.id)).rejects.toThrow(
      'A new attempt needs',
    );
    expect(await resolve('completed', till.taken.find(mine)?.id)).toContain('goes on from that');
    expect(await receipt()).toMatchObject({ paid: 2, unknown: 0 });
    expect(moves(till, lines)).toEqual([1, 1]);
  });

  test.concurrent('that it came to nothing has it attempted anew', async () => {
    const { till, orders, lines, workflowId, receipt, resolve, mine } = await unknown();
    const record = till.taken.find(mine);
    if (record !== undefined) record.state = 'FAILED';
    till.settings.onTransfer = (_, take) => take();
    expect(await resolve('retry', record?.id)).toContain('A new attempt follows');
    expect(await receipt()).toMatchObject({ paid: 2 });
    expect(moves(till, lines)).toEqual([1, 1]);
    expect((await linesOf(orders, workflowId))[0]?.generation).toBe(1);
  });
});

describe('a payout that was ended from outside', () => {
  test.concurrent('half-way repays nothing when it is started again', async () => {
    const { till, orders } = await scene();
    till.settings.settleMs = 600_000;
    const lines = newLines(8);
    const order = payoutOf(till.wallets, { openMax: 4 });
    const { workflowId } = await orders.steadfast.payout(order, lines);
    while (till.taken.length < 4) await new Promise((resolve) => setTimeout(resolve, 100));
    const { workflow } = orders.client;
    await workflow.getHandle(`${workflowId}:shard:1`).terminate('a test');
    await workflow.getHandle(workflowId).terminate('a test');
    till.settings.settleMs = 100;
    till.settle();
    const again = await orders.steadfast.payout(order, lines);
    expect(again.outcome).toBe('started');
    expect(await again.receipt()).toMatchObject({ lines: 8, paid: 8 });
    expect(moves(till, lines)).toEqual(lines.map(() => 1));
    expect(till.taken).toHaveLength(8);
  });

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
