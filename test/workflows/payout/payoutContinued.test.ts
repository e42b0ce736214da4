import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, PayoutLine } from '../../../src/client/client';
import { createServe, type Orders } from '../../support/orders';
import { linesOf, newLines, paidOnChain, payers, payoutOf } from '../../support/payouts';
import { inSandbox } from '../../support/sandbox';
import { openTill, type Till } from '../../support/service/tillCustody';

const serve = createServe();
const sandbox = inSandbox();

type Scene = {
  till: Till;
  orders: Orders;
  order: Order<'payout'>;
  lines: PayoutLine[];
  workflowId: string;
};

/** A payout of nine lines that was cancelled after its third. */
async function cancelled(change: Partial<Order<'payout'>> = {}): Promise<Scene> {
  const till = openTill();
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody);
  const order = payoutOf(till.wallets, { openMax: 3, ...change });
  const lines = newLines(9);
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  while (till.taken.length < 3) await sleep(50);
  await orders.steadfast.cancel(workflowId, 'wrong month');
  till.settings.settleMs = 10;
  till.settle();
  expect(await receipt()).toMatchObject({ paid: 3, skipped: 6, stopped: expect.any(String) });
  return { till, orders, order, lines, workflowId };
}

/** Each line was sent once, under a key of its own. */
function expectOnce({ till, lines }: Scene): void {
  const paid = till.taken.map(({ destinationAddress }) => destinationAddress?.toLowerCase());
  expect(paid.sort()).toEqual(lines.map(({ to }) => to.toLowerCase()).sort());
}

test('a cancelled payout is continued under its id, and pays each line once', async () => {
  const scene = await cancelled();
  const { steadfast } = scene.orders;
  const { receipt } = await steadfast.continue(scene.workflowId);
  const all = await receipt();
  expect(all).toMatchObject({ lines: 9, paid: 9, skipped: 0 });
  expect(all.stopped).toBeUndefined();
  expectOnce(scene);
  const results = await linesOf(scene.orders, scene.workflowId);
  expect(results.map(({ generation }) => generation)).toEqual(Array(9).fill(0));
  const again = steadfast.continue(scene.workflowId);
  await expect(again).rejects.toThrow('there is nothing to continue');
  const same = await steadfast.payout(scene.order, scene.lines);
  expect(same.outcome).toBe('completed');
  expectOnce(scene);
});

test('it is cancelled, terminated and started again: what it left is told, and can be continued', async () => {
  const till = openTill();
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody);
  const order = payoutOf(till.wallets, { openMax: 3 });
  const lines = newLines(9);
  const { workflowId } = await orders.steadfast.payout(order, lines);
  while (till.taken.length < 3) await sleep(50);
  await orders.steadfast.cancel(workflowId, 'wrong month');
  const isLeft = async (): Promise<boolean> =>
    (await linesOf(orders, workflowId)).filter(({ outcome }) => outcome === 'skipped').length === 6;
  while (!(await isLeft())) await sleep(100);
  await orders.client.workflow.getHandle(workflowId).terminate();
  till.settings.settleMs = 10;
  till.settle();
  const again = await orders.steadfast.payout(order, lines);
  expect(await again.receipt()).toMatchObject({ paid: 3, skipped: 6, stopped: expect.any(String) });
  const { receipt } = await orders.steadfast.continue(workflowId);
  expect(await receipt()).toMatchObject({ paid: 9, skipped: 0 });
  expectOnce({ till, orders, order, lines, workflowId });
});

test('it is cancelled and continued again, and two calls at a time are one', async () => {
  const scene = await cancelled();
  const { till, orders, workflowId } = scene;
  till.settings.settleMs = 600_000;
  const [one, two] = await Promise.allSettled([
    orders.steadfast.continue(workflowId),
    orders.steadfast.continue(workflowId),
  ]);
  const outcomes = [one, two].map((each) => each.status === 'fulfilled' && each.value.outcome);
  expect(outcomes).toContain('started');
  while (till.taken.length < 6) await sleep(50);
  await orders.steadfast.cancel(workflowId, 'once more');
  till.settings.settleMs = 10;
  till.settle();
  const handle = orders.client.workflow.getHandle(workflowId);
  expect(await handle.result()).toMatchObject({ paid: 6, skipped: 3 });
  const { receipt } = await orders.steadfast.continue(workflowId);
  expect(await receipt()).toMatchObject({ paid: 9 });
  expectOnce(scene);
});

test('a line that a person has skipped stays so, and a failed one is not retried', async () => {
  const till = openTill({ wallets: 1 });
  till.settings.settleMs = 600_000;
  const orders = await serve(till.custody);
  const lines = newLines(4);
  const order = payoutOf(till.wallets, { openMax: 1 });
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  while (till.taken.length < 1) await sleep(50);
  const last = lines.at(-1)?.lineId ?? '';
  await orders.steadfast.skip(workflowId, [last], 'left us');
  till.settings.fate = () => ({ state: 'FAILED', errorReason: 'no' });
  await orders.steadfast.cancel(workflowId, 'wrong month');
  till.settle();
  expect(await receipt()).toMatchObject({ failed: 1, skipped: 3 });
  till.settings.fate = () => ({ state: 'COMPLETE' });
  till.settings.settleMs = 10;
  const again = await orders.steadfast.continue(workflowId);
  expect(await again.receipt()).toMatchObject({ paid: 2, failed: 1, skipped: 1 });
  const results = await linesOf(orders, workflowId);
  expect(results.at(-1)).toMatchObject({ outcome: 'skipped', reason: 'left us' });
  const retried = await orders.steadfast.retry(workflowId);
  expect(await retried.receipt()).toMatchObject({ paid: 3, skipped: 1 });
  expect(till.taken).toHaveLength(4);
});

test.each([
  ['in the order itself', true],
  ['handed over part by part', false],
])(
  'a payout that was cancelled before it paid anything is continued: lines %s',
  async (_, isOwn) => {
    const till = openTill();
    till.settings.settleMs = 10;
    const orders = await serve(till.custody);
    const { steadfast } = orders;
    const lines = newLines(3);
    const order = payoutOf(till.wallets, isOwn ? { lines } : {});
    till.settings.onTransfer = (_input, take) => take();
    const pausing = { ...order, linesPerS: 0.01 };
    let isHeld = true;
    const listTransactions = till.custody.listTransactions.bind(till.custody);
    const held = Object.assign(Object.create(till.custody), {
      listTransactions: async (...call: Parameters<typeof listTransactions>) => {
        while (isHeld) await sleep(50);
        return listTransactions(...call);
      },
    });
    const slow = await serve(held);
    const { workflowId, receipt } = await slow.steadfast.payout(pausing, isOwn ? undefined : lines);
    await slow.progress(workflowId, ({ payout }) => payout?.sealed === true);
    await slow.steadfast.cancel(workflowId, 'wrong month');
    isHeld = false;
    await expect(receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    const same = slow.steadfast.payout(pausing, isOwn ? undefined : lines);
    await expect(same.then((one) => one.receipt())).rejects.toThrow(
      `steadfast payout continue ${order.payoutId}`,
    );
    const again = await slow.steadfast.continue(workflowId);
    await slow.steadfast.rate(workflowId, null);
    expect(await again.receipt()).toMatchObject({ paid: 3, skipped: 0 });
    expect(till.taken).toHaveLength(3);
    await steadfast.close();
  },
);

test('a batch of a continued payout pays each line once on the chain', async () => {
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const orders = await serve(client, { baseUrl, chainRpcUrl });
  const lines = newLines(8);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch: { linesMax: 4 }, linesPerS: 0.1 });
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  await orders.progress(workflowId, ({ payout }) => (payout?.waiting ?? 8) < 8);
  await orders.steadfast.cancel(workflowId, 'wrong month');
  const first = await receipt();
  expect(first.skipped).toBeGreaterThan(0);
  const again = await orders.steadfast.continue(workflowId);
  await orders.steadfast.rate(workflowId, null);
  expect(await again.receipt()).toMatchObject({ paid: 8, skipped: 0 });
  const paid = await paidOnChain(sandbox, lines);
  expect(Object.values(paid).map(({ length }) => length)).toEqual(Array(8).fill(1));
});

test('a payout that was not cancelled is not continued', async () => {
  const till = openTill();
  const orders = await serve(till.custody);
  const { workflowId, receipt } = await orders.steadfast.payout(
    payoutOf(till.wallets),
    newLines(1),
  );
  await receipt();
  await expect(orders.steadfast.continue(workflowId)).rejects.toThrow('nothing to continue');
});
