import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { parseUnits } from 'viem';
import { createSteadfast } from '../../src/client/client';
import { stopLater } from '../support/jest/setUp';
import { times } from '../support/lane';
import { createServe } from '../support/orders';
import { inSandbox, tokenTransfers } from '../support/sandbox';
import { someone } from '../support/stages';
import { temporalAddress } from '../support/temporal';

const serve = createServe();
/** March, or its last days, among them the 29th: the clocks of Berlin go from two to three. */
const firstDay = times({ short: 22, all: 1 });
const days = Array.from({ length: 32 - firstDay }, (_, at) => `2026-03-${firstDay + at}`).map(
  (day) => day.replace(/-(\d)$/, '-0$1'),
);
const last = '2026-03-31';
const [first = '', fifth = ''] = [days[0], days[4]];
/** Two backfills overlap. */
const lastOfFirst = Math.floor(days.length * 0.63);
const firstOfSecond = days[Math.floor(days.length * 0.3)] ?? '';

const sandbox = inSandbox();
let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress() });
  stopLater(() => connection.close());
});

type Transfers = { to: string; amount: string }[];

/** A schedule's transfer, and its payout, whose lines are paid together. */
const kinds = {
  allowance: { kind: 'transferStablecoin', begin: 'transfer' },
  salaries: { kind: 'payout', begin: 'payout' },
} as const;

/** A daily schedule that pays from its own wallet, and its expected payments. */
async function daily(kind: (typeof kinds)[keyof typeof kinds]['kind']) {
  const wallet = await sandbox.fundedWallet('EOA');
  const reference = 'allowance of {period}';
  if (kind === 'payout') {
    const paid: Transfers = ['0.25', '0.125'].map((amount) => ({ to: someone(), amount }));
    const lines = paid.map((line, at) => ({ ...line, lineId: `line-${at}`, token: 'USDC' }));
    return { wallet, paid, order: { wallets: [wallet.id], lines, reference } };
  }
  const paid: Transfers = [{ to: someone(), amount: '0.25' }];
  const order = { from: { walletId: wallet.id }, ...paid[0], token: 'USDC', reference };
  return { wallet, paid, order };
}

/** Loses every third answer to a transfer, and stops the service for a while. */
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

test.each(['allowance', 'salaries'] as const)(
  'weeks of %s with an outage, backfills, triggers and a clock change is paid once a day',
  async (name) => {
    const { kind, begin } = kinds[name];
    const { wallet, paid, order } = await daily(kind);
    const id = `${name}-${randomUUID().slice(0, 8)}`;
    const taskQueue = `month-${id}`;
    const client = new Client({ connection });
    const { schedules } = createSteadfast({ client, taskQueue });
    await schedules.create(id, {
      kind,
      order,
      cron: '30 0 * * *',
      timeZone: 'Europe/Berlin',
      period: 'yyyy-MM-dd',
    });

    // No worker runs now, so Temporal's starts wait for one.
    const early = days.slice(0, lastOfFirst + 1);
    const begun = await schedules.backfill(id, {
      from: first,
      to: early.at(-1) ?? '',
      beforeCreation: true,
    });
    expect(begun.map(({ period }) => period)).toEqual(early);
    const triggered = [fifth, fifth, '2026-03-29'].map((day) =>
      schedules.trigger(id, day, { beforeCreation: true }),
    );
    await sleep(1_000);
    await trouble();
    await serve(sandbox.client, { taskQueue, baseUrl: sandbox.baseUrl });
    await schedules.backfill(id, { from: firstOfSecond, to: last, beforeCreation: true });
    await Promise.all(triggered);

    const orderOf = (day: string) => `${begin}:${id}:${day}`;
    const receiptOf = async (day: string): Promise<unknown> => {
      for (;;) {
        const receipt = await client.workflow
          .getHandle(orderOf(day))
          .result()
          .catch(() => undefined);
        if (receipt !== undefined) return receipt;
        await sleep(200);
      }
    };
    await Promise.all(days.map(receiptOf));
    // One more backfill, after all orders are done.
    await schedules.backfill(id, {
      from: '2026-03-28',
      to: '2026-03-30',
      beforeCreation: true,
    });
    expect(await schedules.trigger(id, last, { beforeCreation: true })).toMatchObject({
      outcome: 'completed',
    });
    await sleep(2_000);
    await schedules.remove(id);

    const { rpcUrl } = sandbox;
    for (const { to, amount } of paid) {
      const transfers = await tokenTransfers(rpcUrl, { from: wallet.address, to });
      expect(transfers.map(({ value }) => value)).toEqual(days.map(() => parseUnits(amount, 6)));
    }
    const all = await tokenTransfers(rpcUrl, { from: wallet.address });
    expect(all).toHaveLength(paid.length * days.length);
  },
);
