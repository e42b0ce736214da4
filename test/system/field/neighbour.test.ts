import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServe } from '../../support/orders';
import {
  linesOf,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../support/payouts';
import { inSandbox } from '../../support/sandbox';

const serve = createServe();
const sandbox = inSandbox({ rateLimit: 'hosted' });

/** Another program with the same key, which alone uses up what the service allows. */
function startNeighbour() {
  let isOver = false;
  const statuses: number[] = [];
  const call = async (isWrite: boolean): Promise<void> => {
    const named = { idempotencyKey: randomUUID(), name: 'neighbour' };
    const { status } = await (isWrite
      ? sandbox.signed('developer/walletSets', named)
      : sandbox.request('GET', 'wallets'));
    statuses.push(status);
  };
  const running = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await Promise.all([call(turn % 5 === 0).catch(() => {}), sleep(40)]);
    }
  })();
  return {
    stop: async (): Promise<number[]> => {
      isOver = true;
      await running;
      return statuses;
    },
  };
}

it('a payout beside a neighbour who uses up the limits pays each line once (field B 19)', async () => {
  const { client, baseUrl } = sandbox;
  const limits = { writesPerSecond: 4.8, readsPerSecond: 20 };
  const orders = await serve(client, { baseUrl, limits });
  const wallets = await payers(sandbox, 'EOA', 'EOA');
  const lines = newLines(30);
  const neighbour = startNeighbour();
  const order = payoutOf(wallets, { batch: false });
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  expect(await receipt()).toMatchObject({ lines: 30, paid: 30, failed: 0, unknown: 0 });
  const statuses = await neighbour.stop();
  expect(statuses).toContain(429);
  const { body } = await sandbox.request('GET', '/_sandbox/calls', { headers: {} });
  const { calls } = body as { calls: { path: string; status: number }[] };
  const refused = calls.filter(({ path, status }) => status === 429 && path.endsWith('/transfer'));
  expect(refused.length).toBeGreaterThan(0);
  const paid = await paidOnChain(sandbox, lines);
  expect(paid).toEqual(paidByResults(await linesOf(orders, workflowId)));
  expect(Object.values(paid).map(({ length }) => length)).toEqual(lines.map(() => 1));
});
