import { setTimeout as sleep } from 'node:timers/promises';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Attempted } from '../../../../activities/together';
import type { Accepted } from '../../../../activities/transactions';
import { changeRates } from '../../../../src/client/rates';
import { NoAnswerError, RefusedError } from '../../../../src/custody/errors';
import { createServe, type Orders } from '../../../support/orders';
import { linesOf, newLines, payoutOf } from '../../../support/payouts';
import { openTill, type Till } from '../../../support/service/tillCustody';

const serve = createServe();

/** The answers of the activities that had several lines, in their order. */
async function attemptsOf({ client }: Orders, id: string): Promise<Attempted<Accepted>[][]> {
  const { events } = await client.workflow.getHandle(`${id}:shard:1`).fetchHistory();
  const scheduled = new Set<string>();
  const answers: Attempted<Accepted>[][] = [];
  for (const { eventId, ...event } of events ?? []) {
    const name = event.activityTaskScheduledEventAttributes?.activityType?.name;
    if (name === 'createTransfers') scheduled.add(String(eventId));
    const done = event.activityTaskCompletedEventAttributes;
    const payload = done?.result?.payloads?.[0];
    if (payload && scheduled.has(String(done?.scheduledEventId))) {
      answers.push(defaultPayloadConverter.fromPayload<Attempted<Accepted>[]>(payload));
    }
  }
  return answers;
}

const kindsOf = (attempts: readonly Attempted<Accepted>[]) =>
  attempts.map(({ kind }) => kind).sort();

/** The number of transfers that each line has moved. */
function moves({ taken }: Till, lines: readonly { to: string }[]): number[] {
  return lines.map(({ to }) => {
    const own = taken.filter(({ destinationAddress }) => destinationAddress?.toLowerCase() === to);
    return own.filter(({ state }) => state === 'COMPLETE').length;
  });
}

/** Counts the calls for each line, and lets some of them fare otherwise. */
function watchCalls(
  till: Till,
  fates: Record<string, (call: number, take: () => { id: string; state: string }) => unknown>,
): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  till.settings.onTransfer = async (input, take) => {
    const to = input.destinationAddress.toLowerCase();
    const own = [...(keys.get(to) ?? []), String(input.idempotencyKey)];
    keys.set(to, own);
    await fates[to]?.(own.length, take);
    return take();
  };
  return keys;
}

describe('lines in one activity', () => {
  test.concurrent('have each an outcome of their own', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    const lines = newLines(8);
    const [refused = '', lost = '', limited = ''] = [1, 3, 5].map((at) => lines[at]?.to ?? '');
    const keys = watchCalls(till, {
      [refused]: () => {
        throw new RefusedError('no funds', { status: 400, code: 155258 });
      },
      [lost]: (call, take) => {
        take();
        if (call === 1) throw new NoAnswerError('lost');
      },
      [limited]: (call) => {
        const how = { status: 429, code: 429, retryAfterMs: 1_500 };
        if (call === 1) throw new RefusedError('too many requests', how);
      },
    });
    const started = await orders.steadfast.payout(payoutOf(till.wallets, { batch: false }), lines);
    const { workflowId } = started;
    expect(await started.receipt()).toMatchObject({ lines: 8, paid: 7, failed: 1, unknown: 0 });
    const [first = []] = await attemptsOf(orders, workflowId);
    expect(kindsOf(first)).toEqual([...Array(5).fill('accepted'), ...Array(3).fill('stopped')]);
    const results = await linesOf(orders, workflowId);
    expect(results[1]).toMatchObject({ outcome: 'failed', reason: 'no funds' });
    expect(moves(till, lines)).toEqual([1, 0, 1, 1, 1, 1, 1, 1]);
    for (const to of [lost, limited]) expect(new Set(keys.get(to)).size).toBe(1);
    expect([...keys.values()].map((own) => own.length)).toEqual([1, 1, 1, 2, 1, 2, 1, 1]);
  });

  test.concurrent('are all in doubt when their activity dies, and each is paid once', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    const lines = newLines(6);
    const [first] = lines;
    let release = (): void => {};
    const silence = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Its worker says nothing more in time, as one that was killed.
    const keys = watchCalls(till, { [first?.to ?? '']: (call) => call === 1 && silence });
    const started = await orders.steadfast.payout(payoutOf(till.wallets), lines);
    const { workflowId } = started;
    expect(await started.receipt()).toMatchObject({ lines: 6, paid: 6, unknown: 0 });
    release();
    expect(moves(till, lines)).toEqual(lines.map(() => 1));
    expect([...keys.values()].map((own) => [own.length, new Set(own).size])).toEqual(
      lines.map(() => [2, 1]),
    );
    expect(await attemptsOf(orders, workflowId)).toHaveLength(1);
  });

  test.concurrent('are not sent once their payout has ended', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    till.settings.settleMs = 600_000;
    const lines = newLines(10);
    const order = payoutOf(till.wallets, { openMax: 5 });
    const { workflowId } = await orders.steadfast.payout(order, lines);
    while (till.taken.length < 5) await sleep(50);
    await orders.client.workflow.getHandle(workflowId).terminate('a test');
    // For five seconds a worker believes what Temporal said last.
    await sleep(5_500);
    till.settle();
    const shard = orders.client.workflow.getHandle(`${workflowId}:shard:1`);
    await shard.result();
    const [before = [], after = []] = await attemptsOf(orders, workflowId);
    expect([kindsOf(before), kindsOf(after)]).toEqual([
      Array(5).fill('accepted'),
      Array(5).fill('stopped'),
    ]);
    expect(till.calls.get('createTransfer')).toBe(5);
    const results = await linesOf(orders, workflowId);
    expect(results.filter(({ isUnsent }) => isUnsent)).toHaveLength(5);
  });
});

describe('under a limit of writes', () => {
  test.concurrent('each line has a call of its own, whoever has set the limit', async () => {
    for (const isCommanded of [false, true]) {
      const till = openTill();
      const limits = isCommanded
        ? {}
        : { limits: { writesPerSecond: 9, readsPerSecond: undefined } };
      const orders = await serve(till.custody, limits);
      if (isCommanded) await changeRates(orders, { writes: 9 });
      const lines = newLines(12);
      const started = await orders.steadfast.payout(payoutOf(till.wallets), lines);
      expect(await started.receipt()).toMatchObject({ lines: 12, paid: 12 });
      const [first = [], ...others] = await attemptsOf(orders, started.workflowId);
      expect(kindsOf(first)).toEqual(['accepted', ...Array(11).fill('left')]);
      expect(others).toEqual([]);
      expect(moves(till, lines)).toEqual(lines.map(() => 1));
      expect(till.calls.get('createTransfer')).toBe(12);
    }
  });

  test.concurrent('a payout with a pace of its own puts no lines together', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    const lines = newLines(6);
    const order = payoutOf(till.wallets, { linesPerS: 20 });
    const started = await orders.steadfast.payout(order, lines);
    expect(await started.receipt()).toMatchObject({ lines: 6, paid: 6 });
    expect(await attemptsOf(orders, started.workflowId)).toEqual([]);
  });
});
