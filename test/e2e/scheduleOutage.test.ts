import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { periodAt } from '../../src/orders/period';
import { type LocalTemporal, startTemporal } from '../../src/stack/startTemporal';
import { runOrders } from '../support/orders';
import { scriptedCustody, transferOrder } from '../support/scriptedCustody';

const everyMs = 5_000;
const template = 'yyyyMMddHHmmss';
const dataDir = mkdtempSync(join(tmpdir(), 'steadfast-outage-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** The same server again, at the address where everybody looks for it. */
async function again({ address }: LocalTemporal): Promise<LocalTemporal> {
  const port = Number(address.split(':')[1]);
  for (;;) {
    const server = await startTemporal({ port, headless: true, dataDir });
    if (server.address === address) return server;
    await server.kill();
    await sleep(500);
  }
}

test('what comes while Temporal is away is started when it is back, each once', async () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const first = await startTemporal({ port, headless: true, dataDir });
  const custody = scriptedCustody();
  const { steadfast, stop } = await runOrders(custody, { address: first.address });
  const { schedules } = steadfast;
  const done = async (): Promise<string[]> => {
    const orders = await steadfast.list({ status: 'Done', limit: 1_000 }).catch(() => []);
    return orders.map(({ workflowId }) => workflowId.split(':')[2] ?? '').sort();
  };
  const untilDone = async (atMs: number): Promise<string[]> => {
    const wanted = periodAt(template, atMs, 'UTC');
    for (;;) {
      const periods = await done();
      if (periods.some((period) => period >= wanted)) return periods;
      await sleep(300);
    }
  };

  const [next] = await schedules.create('quick', {
    ...{ kind: 'transferStablecoin', order: { ...transferOrder, reference: '{period}' } },
    ...{ every: '5s', period: template },
  });
  await untilDone(Date.parse(next?.at ?? ''));
  await first.kill();
  await sleep(2 * everyMs);
  const second = await again(first);
  const backAtMs = Date.now();
  await untilDone(backAtMs);
  await schedules.remove('quick');

  // All that came before it was back; orders that were started last may still be under way.
  const end = periodAt(template, backAtMs, 'UTC');
  const due: string[] = [];
  for (let at = Date.parse(next?.at ?? ''); at <= backAtMs; at += everyMs) {
    due.push(periodAt(template, at, 'UTC'));
  }
  expect(due.length).toBeGreaterThanOrEqual(3);
  const isDue = (period: string): boolean => period >= (due[0] ?? '') && period <= end;
  let paid = (await done()).filter(isDue);
  while (paid.length < due.length) {
    await sleep(300);
    paid = (await done()).filter(isDue);
  }
  expect(paid).toEqual(due);
  const orders = await steadfast.list({ limit: 1_000 });
  const keys = custody.calls('createTransfer').map(({ input }) => input.idempotencyKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeLessThanOrEqual(orders.length);
  await stop();
  await second.stop();
}, 180_000);
