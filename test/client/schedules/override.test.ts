import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError } from '../../../src/custody/errors';
import type { Schedule } from '../../../src/orders/schedule/schedule';
import { transferOrder } from '../../support/service/scriptedCustody';
import { serveSchedules } from './serveSchedules';

/** Amounts that the service refuses. */
const refused = new Set<string>();
const tooLarge = new RefusedError('The amount is too large.', { status: 400, code: 2 });
const office = serveSchedules((amount) => (refused.has(amount) ? tooLarge : undefined));
const { created, timesSent } = office;

let amounts = 0;
/** Usual amount, and the one of an override. No other schedule pays them. */
function nextAmounts(): [usual: string, other: string] {
  amounts += 1;
  return [`0.${amounts}1`, `0.${amounts}7`];
}

const template = "yyyy-MM-dd'T'HH-mm-ss";

/** A schedule with one period, so many seconds from now. */
async function oneComing(usual: string, leadS = 8) {
  const { schedules } = office.orders.steadfast;
  const id = `rent-${randomUUID().slice(0, 8)}`;
  created.push(id);
  const given: Schedule = {
    kind: 'transferStablecoin',
    order: { ...transferOrder, amount: usual, reference: 'rent of {period}' },
    every: '1h',
    offset: `${(Math.ceil(Date.now() / 1_000) + leadS) % 3_600 || 1}s`,
    period: template,
    runs: 1,
  };
  const [next] = await schedules.create(id, given);
  if (next === undefined) throw new Error('Its period has gone by.');
  const workflowId = `transfer:${id}:${next.period}`;
  const begun = () => sleep(Math.max(0, Date.parse(next.at) - Date.now()) + 300);
  const result = () => office.orders.client.workflow.getHandle(workflowId).result();
  return { id, ...next, workflowId, begun, result };
}

/** Waits until visibility shows a schedule's overrides. */
async function overridden(id: string, count: number) {
  for (;;) {
    const { overrides } = await office.orders.steadfast.schedules.describe(id);
    if (overrides.length === count) return overrides;
    await sleep(200);
  }
}

describe('a period that is overridden', () => {
  it.concurrent('pays the other amount once, however often it is started', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual, other] = nextAmounts();
    const { id, period, at, workflowId, begun, result } = await oneComing(usual);
    const told = await schedules.override(id, period, { change: { amount: other } });
    expect(told).toMatchObject({ period, workflowId, words: '' });
    expect(told.order).toContain(`amount ${other}`);
    expect(told.usual).toContain(`amount ${usual}`);
    await begun();
    const trigger = () => schedules.trigger(id, period);
    await Promise.all([trigger(), trigger()]);
    expect(await result()).toMatchObject({ amount: other });
    await schedules.backfill(id, { from: at, to: at, beforeCreation: true });
    expect(await trigger()).toMatchObject({ workflowId, outcome: 'completed' });
    expect(timesSent(other)).toBe(1);
    const { orders: last, troubles } = await schedules.describe(id);
    expect(last).toContainEqual(expect.objectContaining({ workflowId, status: 'Done' }));
    expect(troubles).toEqual([]);
  });

  it.concurrent('is listed until it starts, and the last of several overrides counts', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual, other] = nextAmounts();
    const [first] = nextAmounts();
    const { id, period, at, begun, result } = await oneComing(usual, 20);
    await schedules.override(id, period, { change: { amount: first } });
    await schedules.override(id, period, 'nothing');
    await schedules.override(id, period, { change: { amount: other } });
    const kept = async () => (await overridden(id, 1))[0];
    // Temporal's visibility is a second or so behind.
    while (!(await kept())?.order?.includes(`amount ${other}`)) await sleep(200);
    const note = await kept();
    expect(note).toMatchObject({ period, at, sum: { USDC: other } });
    expect(note?.order).toContain(`amount ${other}`);
    const listed = async () => (await schedules.list()).find((one) => one.id === id);
    let one = await listed();
    for (; one?.overrides === undefined; one = await listed()) await sleep(200);
    expect(one).toMatchObject({ overrides: [period] });
    await begun();
    expect(await result()).toMatchObject({ amount: other });
    await overridden(id, 0);
    expect(timesSent(first)).toBe(0);
  });

  it.concurrent('is left out, until somebody restores it', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual] = nextAmounts();
    const { id, period, begun, result } = await oneComing(usual);
    await schedules.override(id, period, 'nothing');
    await begun();
    expect(await schedules.trigger(id, period)).toMatchObject({ outcome: 'leftOut' });
    expect(timesSent(usual)).toBe(0);
    expect(await schedules.restore(id, period)).toBe(
      `${period} pays its usual order once it is started. Start it with: ` +
        `npx --no-install steadfast schedule trigger ${id} --period ${period}`,
    );
    expect(await schedules.trigger(id, period)).toMatchObject({ outcome: 'started' });
    expect(await result()).toMatchObject({ amount: usual });
    expect(timesSent(usual)).toBe(1);
  });

  it.concurrent('pays its usual order if it is restored before its time', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual, other] = nextAmounts();
    const { id, period, workflowId, begun, result } = await oneComing(usual);
    await schedules.override(id, period, { change: { amount: other } });
    expect(await schedules.restore(id, period)).toBe('');
    await begun();
    expect(await schedules.trigger(id, period)).toMatchObject({ workflowId });
    expect(await result()).toMatchObject({ amount: usual });
    expect(timesSent(other)).toBe(0);
  });

  it.concurrent('has one order if it is overridden at the very moment at which it starts', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual] = nextAmounts();
    const id = `rent-${randomUUID().slice(0, 8)}`;
    created.push(id);
    const order = { ...transferOrder, amount: usual };
    const coming = await schedules.create(id, {
      kind: 'transferStablecoin',
      order,
      every: '3s',
      period: template,
      runs: 5,
    });
    const ends: string[] = [];
    for (const [round, { period, at }] of coming.entries()) {
      const [, other] = nextAmounts();
      const leadMs = 20 + 40 * round;
      await sleep(Math.max(0, Date.parse(at) - leadMs - Date.now()));
      const isKept = await schedules
        .override(id, period, { change: { amount: other } })
        .then(() => true)
        .catch(() => false);
      await sleep(Math.max(0, Date.parse(at) - Date.now()) + 200);
      await schedules.trigger(id, period);
      const { amount } = await office.orders.client.workflow
        .getHandle(`transfer:${id}:${period}`)
        .result();
      expect(amount).toBe(isKept ? other : usual);
      expect(timesSent(other)).toBe(isKept ? 1 : 0);
      ends.push(amount === usual ? 'usual' : 'other');
    }
    // On a slow machine, the first one passes while the schedule is created.
    expect(ends.length).toBeGreaterThanOrEqual(3);
    expect(timesSent(usual)).toBe(ends.filter((end) => end === 'usual').length);
  });

  it.concurrent('is started again as it was overridden, if its order was refused', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual, other] = nextAmounts();
    const { id, period, workflowId, begun, result } = await oneComing(usual);
    await schedules.override(id, period, { change: { amount: other } });
    refused.add(other);
    await begun();
    const trigger = () => schedules.trigger(id, period);
    await trigger();
    await expect(result()).rejects.toThrow();
    const before = timesSent(usual);
    refused.delete(other);
    expect(await trigger()).toMatchObject({ workflowId, outcome: 'started' });
    expect(await result()).toMatchObject({ amount: other });
    expect([timesSent(usual), timesSent(other)]).toEqual([before, 1]);
  });

  it.concurrent('keeps its id from an order of somebody who starts one by hand', async () => {
    const { schedules, start } = office.orders.steadfast;
    const [usual, other] = nextAmounts();
    const { id, period, workflowId } = await oneComing(usual, 20);
    await schedules.override(id, period, { change: { amount: other } });
    const order = { ...transferOrder, amount: usual };
    await expect(start('transferStablecoin', workflowId, order)).rejects.toThrow(
      `id: "${workflowId}" is the order of a period, and somebody has overridden it.`,
    );
    expect((await office.orders.steadfast.status(workflowId)).progress).toMatchObject({
      status: 'Waiting',
      waitingFor: expect.stringContaining(`its period ${period}, which its schedule starts at`),
    });
    await expect(office.orders.steadfast.cancel(workflowId, 'why')).rejects.toThrow('--skip');
    await schedules.restore(id, period);
  });

  it.concurrent('is refused where it cannot be', async () => {
    const { schedules } = office.orders.steadfast;
    const [usual, other] = nextAmounts();
    const { id, period, begun, result, workflowId } = await oneComing(usual);
    const instead = { change: { amount: other } };
    const refusal = (name: string, what: Parameters<typeof schedules.override>[2] = instead) =>
      schedules.override(id, name, what).then(
        () => 'none',
        ({ message }: Error) =>
          message
            .replaceAll(id, '<id>')
            .replaceAll(period, '<period>')
            .replaceAll(/\d{4}-\d\d-\d\dT[\d:.-]+\dZ?/g, '<time>'),
      );
    const late = '2020-01-01T00-00-00';
    expect([
      await refusal('2026-12'),
      await refusal(late),
      await refusal(`${period.slice(0, -1)}${(Number(period.slice(-1)) + 1) % 10}`),
      await refusal(period, { order: { ...transferOrder, amount: 'much' } }),
      await refusal(period, { change: { payoutId: 'mine' } }),
    ]).toMatchInlineSnapshot(`
[
  "period: "2026-12" is not of the form yyyy-MM-dd'T'HH-mm-ss.",
  "period: every 1h never comes in <time>. See what it starts next with: npx --no-install steadfast schedule describe <id>",
  "period: every 1h never comes in <time>. See what it starts next with: npx --no-install steadfast schedule describe <id>",
  "amount: "much" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "payoutId: has no place in a schedule, since that of a period follows from the schedule and the period.",
]
`);
    await expect(schedules.restore(id, period)).rejects.toThrow('has no override that waits');
    await begun();
    await schedules.trigger(id, period);
    await result();
    expect(await refusal(period)).toMatchInlineSnapshot(
      `"period: <period> has begun at <time>, and keeps its order. See it with: npx --no-install steadfast status transfer:<id>:<period>"`,
    );
    expect(await refusal(period, 'nothing')).toContain(`status transfer:<id>:<period>`);
    await expect(schedules.restore(id, period)).rejects.toThrow('has no override that waits');
    expect(workflowId).toBe(`transfer:${id}:${period}`);
  });
});

test.concurrent('the sum of a backfill counts what each period does instead', async () => {
  const { schedules } = office.orders.steadfast;
  const [usual, other] = nextAmounts();
  const { id, period, at, begun } = await oneComing(usual);
  await schedules.override(id, period, { change: { amount: other } });
  await schedules.pause(id, 'wait');
  await begun();
  await schedules.resume(id);
  let told: unknown;
  await schedules.backfill(id, { from: at, to: at, beforeCreation: true }, async (_, sum) => {
    told = sum;
    return false;
  });
  expect(told).toEqual({ USDC: other });
  expect(timesSent(other)).toBe(0);
});

test.concurrent('a payout whose lines its own limits forbid is refused before its day comes', async () => {
  const { schedules } = office.orders.steadfast;
  const id = `salaries-${randomUUID().slice(0, 8)}`;
  const lineOf = (lineId: string, amount: string) => {
    return { lineId, to: transferOrder.to, amount, token: 'USDC' };
  };
  const usual = [lineOf('ann', '2'), lineOf('bo', '3')];
  const order = { wallets: [randomUUID()], lines: usual, maxTotal: { USDC: '5' } };
  const monthly = { kind: 'payout', cron: '0 9 1 * *', period: 'yyyy-MM' } as const;
  const above = 'maxTotal.USDC: the lines come to 6, and at most 5 is allowed.';
  const most = { ...order, lines: [...usual, lineOf('cy', '1')] };
  await expect(schedules.create(id, { ...monthly, order: most })).rejects.toThrow(above);
  created.push(id);
  const [next] = await schedules.create(id, { ...monthly, order });
  const override = (change: object) =>
    schedules.override(id, next?.period ?? '', { change: { ...change } });
  await expect(override({ lines: [lineOf('ann', '6')] })).rejects.toThrow(above);
  const alike = [lineOf('ann', '2'), lineOf('bo', '2')];
  await expect(override({ lines: alike, strict: true })).rejects.toThrow(
    'strict: the lines ann and bo both pay 2 USDC',
  );
  await expect(override({ lines: [lineOf('ann', '4')] })).resolves.toMatchObject({ words: '' });
  await schedules.restore(id, next?.period ?? '');
});
