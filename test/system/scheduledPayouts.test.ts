import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schedule } from '../../src/orders/schedule/schedule';
import { createServe, type Orders } from '../support/orders';
import { newLines } from '../support/payouts';
import { openTill } from '../support/service/tillCustody';

const serve = createServe();
const till = openTill();
let orders: Orders;
const created: string[] = [];
beforeAll(async () => {
  orders = await serve(till.custody);
});
afterAll(async () => {
  const { schedules } = orders.steadfast;
  // The server is shared with other tests, and outlives this one.
  await Promise.all(created.map((id) => schedules.remove(id).catch(() => undefined)));
});

const wallets = till.wallets.map(({ id }) => id);
const monthly = { kind: 'payout' as const, cron: '0 9 1 * *', period: 'yyyy-MM' };

async function create(order: Schedule['order'], own?: string): Promise<string> {
  const id = own ?? `salaries-${randomUUID().slice(0, 8)}`;
  created.push(id);
  await orders.steadfast.schedules.create(id, { ...monthly, order });
  return id;
}

/** The number of accepted transfers of each line. */
function timesTaken(lines: readonly { to: string }[]): number[] {
  return lines.map(
    ({ to }) =>
      till.taken.filter((one) => one.destinationAddress?.toLowerCase() === to.toLowerCase()).length,
  );
}

describe('a schedule of payouts', () => {
  test('pays all lines once per period, under an id that follows from the schedule', async () => {
    const { steadfast, client } = orders;
    const lines = newLines(3);
    const id = await create({ wallets, lines, reference: 'salaries of {period}' });
    const trigger = () => steadfast.schedules.trigger(id, '2026-01', { beforeCreation: true });
    const started = await Promise.all([trigger(), trigger()]);
    const workflowId = `payout:${id}:2026-01`;
    expect(started).toEqual([1, 2].map(() => expect.objectContaining({ workflowId })));
    const receipt = { payoutId: `${id}:2026-01`, lines: 3, paid: 3 };
    expect(await client.workflow.getHandle(workflowId).result()).toMatchObject(receipt);
    expect(await trigger()).toMatchObject({ outcome: 'completed' });
    expect(timesTaken(lines)).toEqual([1, 1, 1]);
    expect(await steadfast.schedules.describe(id)).toMatchObject({
      order: expect.stringContaining('lines 3 · reference salaries of {period}'),
    });
    // Started by hand, the same payout attaches. Another one is refused.
    const payoutId = `${id}:2026-01`;
    const again = await steadfast.payout({ payoutId, wallets, lines });
    expect(await again.receipt()).toMatchObject(receipt);
    await expect(steadfast.payout({ payoutId, wallets, lines: newLines(3) })).rejects.toThrow(
      `id: "${workflowId}" belongs to another order: `,
    );
    await steadfast.schedules.backfill(id, {
      from: '2026-01-01',
      to: '2026-02-28',
      beforeCreation: true,
    });
    while (timesTaken(lines)[2] !== 2) await sleep(100);
    await client.workflow.getHandle(`payout:${id}:2026-02`).result();
    expect(timesTaken(lines)).toEqual([2, 2, 2]);
  });

  test('may have as many lines as an order, and hands them over in parts', async () => {
    const { steadfast, progress } = orders;
    const lines = newLines(2_000);
    const id = await create({ wallets, lines, openMax: 1 });
    till.settings.settleMs = 600_000;
    const { workflowId } = await steadfast.schedules.trigger(id, '2026-01', {
      beforeCreation: true,
    });
    const { payout } = await progress(workflowId, (shown) => shown.payout?.sealed === true);
    expect(payout).toMatchObject({ parts: 2, lines: 2_000 });
    await steadfast.cancel(workflowId, 'the test is over');
    till.settings.settleMs = 100;
    till.settle();
    await orders.client.workflow
      .getHandle(workflowId)
      .result()
      .catch(() => {});
    expect(timesTaken(lines).filter((times) => times > 0).length).toBeLessThanOrEqual(1);
  });

  test.each([
    [
      'an id of its own',
      { payoutId: 'january' },
      'payoutId: has no place in a schedule, since that of a period follows from the schedule and ' +
        'the period.',
    ],
    ['no lines', { lines: undefined }, 'lines: are missing. Nobody hands them over when a'],
    ['too many lines', { lines: newLines(2_501) }, 'must have at most 2500 entries'],
    ['no wallets', { wallets: [] }, 'wallets: [] must have at least 1 entry.'],
  ])('is refused with %s', async (_what, change, why) => {
    await expect(create({ wallets, lines: newLines(2), ...change })).rejects.toThrow(why);
  });

  test('is refused when its id leaves no room for the period', async () => {
    const order = { wallets, lines: newLines(1) };
    await expect(create(order, 's'.repeat(57))).rejects.toThrow(
      /^id: a period of "s{57}" would have the payoutId "s{57}:2026-01", of which 64 characters are/,
    );
    expect(await create(order, `${'s'.repeat(48)}${randomUUID().slice(0, 8)}`)).toHaveLength(56);
  });
});
