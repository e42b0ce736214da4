import { createSteadfast, type Order } from '../../src/client/client';
import { setUp } from '../support/jest/setUp';
import { runOrders } from '../support/orders';
import {
  linesOf,
  newLine,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../support/payouts';
import { inSandbox } from '../support/sandbox';

const sandbox = inSandbox();
const orders = setUp(() =>
  runOrders(sandbox.client, { baseUrl: sandbox.baseUrl, chainRpcUrl: sandbox.rpcUrl }),
);

/** Sets the faults from now on. */
async function plan(rules: readonly object[]): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/faults`;
  const { status } = await sandbox.request('POST', url, { headers: {}, body: { seed: 7, rules } });
  expect(status).toBe(200);
}

describe('a payout', () => {
  test('pays each line once, from EOA and SCA wallets, and names the transaction', async () => {
    const wallets = await payers(sandbox, 'EOA', 'EOA', 'SCA', 'SCA');
    const lines = newLines(40);
    const order = payoutOf(wallets);
    const started = await orders.steadfast.payout(order, lines);
    const receipt = await started.receipt();
    expect(receipt).toMatchObject({ lines: 40, paid: 40, failed: 0, unknown: 0, skipped: 0 });
    const results = await linesOf(orders, started.workflowId);
    expect(results.map(({ lineId, to, amount }) => [lineId, to.toLowerCase(), amount])).toEqual(
      lines.map(({ lineId, to, amount }) => [lineId, to, amount]),
    );
    const paid = await paidOnChain(sandbox, lines);
    expect(paid).toEqual(paidByResults(results));
    expect(Object.values(paid).map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
    expect(new Set(results.map(({ walletAddress }) => walletAddress)).size).toBe(4);
    const { totals } = receipt;
    expect(totals.USDC?.paid).toBe(totals.USDC?.ordered);
  });

  test.each<[string, Order<'payout'>['batch'], number]>([
    ['line by line', false, 2],
    // Six batches from one wallet. A refused one is halved, and its halves are not refused.
    ['in batches', { linesMax: 5 }, 0],
  ])(
    '%s pays each line once when answers and requests are lost or late',
    async (_, batch, failed) => {
      const wallets = await payers(sandbox, 'EOA');
      await plan([
        { kind: 'loseAnswer', method: 'POST', probability: 0.2 },
        { kind: 'loseRequest', method: 'POST', probability: 0.1 },
        { kind: 'lateCommit', method: 'POST', delayMs: 1_500, probability: 0.1 },
        { kind: 'status', status: 503, probability: 0.05 },
        { kind: 'denied', count: 2 },
      ]);
      const lines = newLines(30);
      const started = await orders.steadfast.payout(payoutOf(wallets, { batch }), lines);
      expect(await started.receipt()).toMatchObject({ lines: 30, paid: 30 - failed, failed });
      await plan([]);
      const results = await linesOf(orders, started.workflowId);
      const paid = await paidOnChain(sandbox, lines);
      expect(paid).toEqual(paidByResults(results));
      expect(Object.values(paid).flat()).toHaveLength(30 - failed);
      const refusals = results.flatMap(({ reason }) => reason ?? []);
      expect(refusals).toEqual(Array(failed).fill(expect.stringContaining('ended as DENIED')));
    },
  );

  test('with its lines in the order is paid without a separate seal', async () => {
    const lines = newLines(3);
    const order = payoutOf(await payers(sandbox, 'EOA'), { lines });
    const id = `payout:${order.payoutId}`;
    const receipt = await orders.steadfast.execute('payout', id, order);
    expect(receipt).toMatchObject({ lines: 3, paid: 3 });
    expect(await paidOnChain(sandbox, lines)).toEqual(paidByResults(await linesOf(orders, id)));
  });

  test('is refused under any id but its own, from which its keys follow', async () => {
    const order = payoutOf(await payers(sandbox, 'EOA'), { lines: [newLine()] });
    await expect(orders.steadfast.execute('payout', 'payout:other', order)).rejects.toThrow(
      `payoutId: the workflow of "${order.payoutId}" has the id payout:${order.payoutId}, and this`,
    );
  });

  test.each(['payout:', 'shop:'])(
    'is refused by a payoutId that begins with "%s", as the id of its workflow does',
    async (begin) => {
      const { client, taskQueue } = orders;
      const { payout } = createSteadfast({ client, taskQueue, keyScope: 'shop' });
      const order = payoutOf(await payers(sandbox, 'EOA'));
      const whole = { ...order, payoutId: `${begin}${order.payoutId}` };
      await expect(payout(whole, newLines(1))).rejects.toThrow(
        `payoutId: "${whole.payoutId}" begins with "${begin}", which is put in front by itself.`,
      );
    },
  );
});
