import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalTemporal, startTemporal } from '../../src/local/startTemporal';
import type { OrderKind } from '../../src/orders/kinds';
import { periodAt } from '../../src/orders/schedule/period';
import { newFolder } from '../support/jest/setUp';
import { runOrders } from '../support/orders';
import { newLines } from '../support/payouts';
import { openTill } from '../support/service/tillCustody';
import { someone } from '../support/stages';

const everyMs = 5_000;
const template = 'yyyyMMddHHmmss';
const dataDir = newFolder();

/** Restarts the server at its old address. */
async function again({ address }: LocalTemporal): Promise<LocalTemporal> {
  const port = Number(address.split(':')[1]);
  for (;;) {
    const server = await startTemporal({ port, headless: true, dataDir });
    if (server.address === address) return server;
    await server.kill();
    await sleep(500);
  }
}

test('periods that fall due while Temporal is down are paid once each afterwards', async () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const first = await startTemporal({ port, headless: true, dataDir });
  const till = openTill({ wallets: 1 });
  const [wallet] = till.wallets;
  const { steadfast, stop } = await runOrders(till.custody, { address: first.address });
  const { schedules } = steadfast;
  const rent = { to: someone(), amount: '0.25', token: 'USDC', reference: '{period}' };
  const lines = newLines(2);
  const quick = {
    transferStablecoin: { order: { ...rent, from: { walletId: wallet?.id } }, paid: [rent] },
    payout: { order: { wallets: [wallet?.id], lines }, paid: lines },
  };
  const kinds = ['transferStablecoin', 'payout'] as const;
  const done = async (kind: OrderKind): Promise<string[]> => {
    const orders = await steadfast.list({ kind, status: 'Done', limit: 1_000 }).catch(() => []);
    return orders.map(({ workflowId }) => workflowId.split(':')[2] ?? '').sort();
  };
  const untilDone = async (kind: OrderKind, atMs: number): Promise<void> => {
    const wanted = periodAt(template, atMs, 'UTC');
    while (!(await done(kind)).some((period) => period >= wanted)) await sleep(300);
  };

  const begun = await Promise.all(
    kinds.map(async (kind) => {
      const { order } = quick[kind];
      const [next] = await schedules.create(kind, { kind, order, every: '5s', period: template });
      return Date.parse(next?.at ?? '');
    }),
  );
  await Promise.all(kinds.map((kind, at) => untilDone(kind, begun[at] ?? 0)));
  await first.kill();
  await sleep(2 * everyMs);
  const second = await again(first);
  const backAtMs = Date.now();
  await Promise.all(kinds.map((kind) => untilDone(kind, backAtMs)));

  // All periods before the return of the server. They may end in any order.
  const end = periodAt(template, backAtMs, 'UTC');
  const dues = begun.map((firstAtMs) => {
    const due: string[] = [];
    for (let at = firstAtMs; at <= backAtMs; at += everyMs) due.push(periodAt(template, at, 'UTC'));
    return due;
  });
  for (const [index, kind] of kinds.entries()) {
    for (const period of dues[index] ?? []) {
      while (!(await done(kind)).includes(period)) await sleep(300);
    }
  }
  await Promise.all(kinds.map((kind) => schedules.remove(kind)));
  for (const [index, kind] of kinds.entries()) {
    const due = dues[index] ?? [];
    expect(due.length).toBeGreaterThanOrEqual(3);
    const isDue = (period: string): boolean => period >= (due[0] ?? '') && period <= end;
    expect((await done(kind)).filter(isDue)).toEqual(due);
    // With a double payment the service would have accepted more transfers than there are orders.
    const orders = await steadfast.list({ kind, limit: 1_000 });
    for (const { to } of quick[kind].paid) {
      const taken = till.taken.filter((one) => one.destinationAddress?.toLowerCase() === to);
      expect(taken.length).toBeGreaterThanOrEqual(due.length);
      expect(taken.length).toBeLessThanOrEqual(orders.length);
    }
  }
  // Temporal's core may still hold a poll of the server that was killed.
  await stop().catch((error: Error) => expect(error.name).toBe('IllegalStateError'));
  await second.stop();
});
