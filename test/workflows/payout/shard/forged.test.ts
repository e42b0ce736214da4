import { randomUUID } from 'node:crypto';
import { inputOf } from '../../../../src/client/temporal/inputOf';
import { createServe } from '../../../support/orders';
import { newLines, payoutOf } from '../../../support/payouts';
import { openTill } from '../../../support/service/tillCustody';

const serve = createServe();

/** A part that somebody starts without a payout, with the input of a true one. */
async function forge(change: (order: object) => unknown[], given = {}) {
  const till = openTill();
  const orders = await serve(till.custody);
  const { workflowId, receipt } = await orders.steadfast.payout(
    payoutOf(till.wallets),
    newLines(1),
  );
  await receipt();
  const { workflow } = orders.client;
  const shard = workflow.getHandle(`${workflowId}:shard:1`);
  const run = await shard.describe();
  const [order] = await inputOf(orders.client, run);
  const options = {
    workflowId: `forged:${randomUUID()}`,
    taskQueue: run.taskQueue,
    args: change(Object(order)),
    ...given,
  };
  const result = workflow.execute('payoutShard', options);
  const why = await result.catch((error: { cause?: Error }) => error.cause?.message);
  return { why, sent: till.taken.length };
}

describe('a part that nobody but its payout may start', () => {
  test.concurrent.each([
    ['no input', () => []],
    ['an input without lines', () => [{ terms: {} }]],
    [
      'lines of a wallet that is not listed',
      (order: object) => [{ ...order, terms: { wallets: [] } }],
    ],
  ])('is refused with %s', async (_what, change) => {
    const { why, sent } = await forge(change);
    expect(why).toMatch(/^A payout starts its parts itself\. This is none of its inputs: /);
    expect(sent).toBe(1);
  });

  test.concurrent('is refused without the memory that its payout gives it', async () => {
    const { why, sent } = await forge((order) => [order]);
    expect(why).toMatch(/^forged:\S+ was not started by its payout\.$/);
    expect(sent).toBe(1);
  });

  test.concurrent('is refused with a retry policy', async () => {
    const { why, sent } = await forge((order) => [order], { retry: { maximumAttempts: 2 } });
    expect(why).toMatch(/^An order runs once/);
    expect(sent).toBe(1);
  });

  test.concurrent('is refused with a state of its own, as if a run before had handed it on', async () => {
    const steer = { firstRunId: '', openMax: 9, linesPerS: null, isCancelled: false };
    const before = { earlier: { bornAtMs: 0, writes: {}, others: 'clean' }, steer };
    const empty = { writes: {}, done: {}, progress: [], doubtful: false, cancelAsked: false };
    const { why, sent } = await forge((order) => [order, { ...empty, ...before, isClosed: false }]);
    expect(why).toMatch(/^forged:\S+ was not started by its payout\.$/);
    expect(sent).toBe(1);
  });
});
