import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { parseUnits } from 'viem';
import { createSteadfast, type Steadfast } from '../../src/client';
import { createServe } from '../support/orders';
import {
  createFundedWallet,
  startTestSandbox,
  type TestSandbox,
  tokenTransfers,
} from '../support/sandbox';
import { someone } from '../support/stages';
import { temporalAddress } from '../support/temporal';

const serve = createServe();
const days = Array.from({ length: 31 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`);

let sandbox: TestSandbox;
let connection: Connection;
let steadfast: Steadfast;
const taskQueue = `month-${randomUUID()}`;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  connection = await Connection.connect({ address: temporalAddress() });
  steadfast = createSteadfast({ client: new Client({ connection }), taskQueue });
});
afterAll(async () => {
  await connection.close();
  await sandbox.stop();
});

/** Every third answer to a transfer is lost, and the service is away for a while. */
async function trouble(): Promise<void> {
  const path = '/v1/w3s/developer/transactions/transfer';
  const rules = [
    { kind: 'loseAnswer', method: 'POST', path, probability: 0.3, count: 10 },
    { kind: 'status', status: 503, probability: 0.2, count: 20 },
  ];
  const url = `${sandbox.origin}/_sandbox/faults`;
  const { status } = await sandbox.request('POST', url, { headers: {}, body: { seed: 1, rules } });
  expect(status).toBe(200);
}

test('a month of days with an outage, backfills, triggers and a clock change is paid once a day', async () => {
  const wallet = await createFundedWallet(sandbox.client, 'EOA');
  const to = someone();
  const id = `allowance-${randomUUID().slice(0, 8)}`;
  const { schedules } = steadfast;
  await schedules.create(id, {
    kind: 'transferStablecoin',
    order: {
      from: { walletId: wallet.id },
      ...{ to, amount: '0.25', token: 'USDC', reference: 'allowance of {period}' },
    },
    // On the 29th the clocks of Berlin go from two to three.
    ...{ cron: '30 0 * * *', timeZone: 'Europe/Berlin', period: 'yyyy-MM-dd' },
  });

  // Nobody works: what Temporal starts now waits for a worker.
  const first = await schedules.backfill(id, { from: '2026-03-01', to: '2026-03-20' });
  expect(first.map(({ period }) => period)).toEqual(days.slice(0, 20));
  const triggered = ['2026-03-05', '2026-03-05', '2026-03-29'].map((day) =>
    schedules.trigger(id, day),
  );
  await sleep(1_000);
  await trouble();
  await serve(sandbox.client, { taskQueue, baseUrl: sandbox.baseUrl });
  await schedules.backfill(id, { from: '2026-03-10', to: '2026-03-31' });
  await Promise.all(triggered);

  const orderOf = (day: string) => `transfer:${id}:${day}`;
  const { workflow } = new Client({ connection });
  const receiptOf = async (day: string): Promise<unknown> => {
    for (;;) {
      const receipt = await workflow
        .getHandle(orderOf(day))
        .result()
        .catch(() => undefined);
      if (receipt !== undefined) return receipt;
      await sleep(200);
    }
  };
  await Promise.all(days.map(receiptOf));
  // Once more, when all is done.
  await schedules.backfill(id, { from: '2026-03-28', to: '2026-03-30' });
  expect(await schedules.trigger(id, '2026-03-31')).toMatchObject({ outcome: 'completed' });
  await sleep(2_000);
  await schedules.remove(id);

  const paid = await tokenTransfers(`${sandbox.origin}/_sandbox/rpc`, { from: wallet.address, to });
  expect(paid.map(({ value }) => value)).toEqual(days.map(() => parseUnits('0.25', 6)));
}, 180_000);
