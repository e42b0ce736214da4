import { setTimeout as sleep } from 'node:timers/promises';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe } from '../../support/orders';
import { linesOf, newLines, openedPayout, outcomesOf, payoutOf } from '../../support/payouts';
import { openTill } from '../../support/service/tillCustody';

const serve = createServe();
const noMoney = { state: 'FAILED', errorReason: 'INSUFFICIENT_TOKEN', txHash: undefined } as const;

/**
 * A completed payout whose first line failed for lack of money, which is told at once, and which is
 * retried by now. For this time the retry waits for the proof.
 */
async function inProofWait({ lookupGraceMs = 45_000 } = {}) {
  const till = openTill();
  const orders = await serve(till.custody, { lookupGraceMs });
  const lines = newLines(2);
  const [first] = lines;
  const lineId = first?.lineId ?? '';
  const isFirst = ({ destinationAddress }: { destinationAddress?: string | undefined }) =>
    destinationAddress?.toLowerCase() === first?.to;
  till.settings.fate = (record) =>
    isFirst(record) && till.taken.filter(isFirst).length === 1 ? noMoney : { state: 'COMPLETE' };
  const order = payoutOf(till.wallets);
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  expect(await receipt()).toMatchObject({ paid: 1, failed: 1 });
  const again = await orders.steadfast.retry(workflowId);
  const retry = async () =>
    (await linesOf(orders, workflowId)).find((one) => one.lineId === lineId);
  for (;;) {
    const line = await retry().catch(() => undefined);
    if (line?.outcome === 'paid') throw new Error('The retry did not wait.');
    if (line?.generation === 1 && line.outcome === 'waiting') break;
    await sleep(50);
  }
  const handle = orders.client.workflow.getHandle(workflowId);
  const shard = orders.client.workflow.getHandle(`${workflowId}:shard:1`);
  return { till, orders, lines, lineId, order, workflowId, handle, shard, again, isFirst };
}

describe('a line whose retry waits for the proof that its first attempt had no effect', () => {
  test.concurrent('is retried once, if the same retry is asked for again', async () => {
    const { handle, lineId, again, till, isFirst } = await inProofWait();
    const targets = [`line/${lineId}#0`];
    await expect(handle.executeUpdate('retry', { args: [{ targets }] })).resolves.toEqual({
      lines: 1,
    });
    expect(await again.receipt()).toMatchObject({ paid: 2 });
    expect(till.taken.filter(isFirst).length).toBe(2);
  });

  test.concurrent('is retried, if its part was terminated meanwhile', async () => {
    const { shard, handle, again, till, isFirst } = await inProofWait();
    await shard.terminate('a test');
    await handle.signal('wake');
    expect(await again.receipt()).toMatchObject({ paid: 2, failed: 0 });
    expect(till.taken.filter(isFirst).length).toBe(2);
  });

  test.concurrent('is retried, if payout and part were terminated meanwhile', async () => {
    const { shard, handle, till, isFirst, orders, order, lines } = await inProofWait();
    await handle.terminate('a test');
    await shard.terminate('a test');
    const { handle: last, update } = await openedPayout(orders, order);
    await orders.progress(last.workflowId, ({ payout }) => payout?.lines === 2);
    await update('addLines', { part: 1, lines });
    await update('seal', { parts: 1, totals: sumByToken(lines) });
    expect(await last.result()).toMatchObject({ paid: 2, failed: 0 });
    expect(till.taken.filter(isFirst).length).toBe(2);
  });

  test.concurrent('is skipped on request, since its next attempt is not sent yet', async () => {
    const { workflowId, orders, lineId, again, till, isFirst } = await inProofWait();
    const words = await orders.steadfast.skip(workflowId, [lineId], 'left us');
    expect(words).toContain(`${lineId} is skipped`);
    expect(await again.receipt()).toMatchObject({ paid: 1, skipped: 1 });
    expect(till.taken.filter(isFirst).length).toBe(1);
  });
});

test('a line that was paid after all keeps no other line from its retry', async () => {
  const till = openTill();
  const orders = await serve(till.custody);
  const lines = newLines(3);
  const ids = lines.map(({ lineId }) => lineId);
  let isFunded = false;
  till.settings.fate = () => (isFunded ? { state: 'COMPLETE' } : noMoney);
  const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  expect(await receipt()).toMatchObject({ failed: 3 });
  // The service corrects its word about the first line.
  const [first] = till.taken.filter(
    (record) => record.destinationAddress?.toLowerCase() === lines[0]?.to,
  );
  Object.assign(first ?? {}, { state: 'COMPLETE', txHash: `0x${'1'.repeat(64)}` });
  isFunded = true;
  const one = await orders.steadfast.retry(workflowId, ids.slice(0, 1));
  expect(await one.receipt()).toMatchObject({ paid: 1, failed: 2 });
  const others = await orders.steadfast.retry(workflowId);
  expect(await others.receipt()).toMatchObject({ paid: 3 });
  expect(await outcomesOf(orders, workflowId)).toEqual({ paid: 3 });
  expect(till.taken.length).toBe(5);
});
