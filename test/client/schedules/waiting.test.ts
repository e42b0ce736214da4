import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jitterOf } from '../../../activities/periods';
import { createSteadfast } from '../../../src/client/client';
import { type PeriodStart, periodStart } from '../../../src/orders/schedule/schedule';
import type { Orders } from '../../support/orders';
import { transferOrder } from '../../support/service/scriptedCustody';
import { serveSchedules } from './serveSchedules';

const period = '2026-01';
const nominal = '2026-01-01T08:00:00Z';

const office = serveSchedules();
const { created } = office;

let amounts = 0;
/** Another amount each time, and with it another order. */
function newRent() {
  amounts += 1;
  const order = { ...transferOrder, amount: `0.${amounts}1`, reference: 'rent of {period}' };
  const monthly = { cron: '0 9 1 * *', timeZone: 'Europe/Berlin', period: 'yyyy-MM' };
  return { kind: 'transferStablecoin' as const, order, ...monthly };
}

const timesSent = ({ order }: ReturnType<typeof newRent>): number =>
  office.timesSent(String(order.amount));

/** A schedule, and a period that it has started, which does not start its order yet. */
type Waiting = {
  id: string;
  rent: ReturnType<typeof newRent>;
  schedules: Orders['steadfast']['schedules'];
  /** Rejects with the reason why the order was not started. */
  goesOn: () => Promise<unknown>;
};

/** No worker is there when the period falls due. */
async function withoutWorker(): Promise<Waiting> {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  created.push(id);
  const { client } = office.orders;
  const taskQueue = `later-${id}`;
  const { schedules } = createSteadfast({ client, taskQueue });
  const rent = newRent();
  await schedules.create(id, rent);
  await schedules.backfill(id, {
    from: '2026-01-01',
    to: '2026-01-31',
    beforeCreation: true,
  });
  const run = client.workflow.getHandle(`schedule:${id}-${nominal}`);
  // Temporal drops what it has not started yet when a schedule is paused.
  while ((await run.describe().catch(() => undefined)) === undefined) await sleep(50);
  const goesOn = async () => {
    await office.serveAlso(taskQueue);
    return run.result();
  };
  return { id, rent, schedules, goesOn };
}

/** The jitter ends late enough for some requests to a busy server. */
const jitterLeftMs = 12_000;

/** The period was found, and waits out its jitter. */
async function inJitter(): Promise<Waiting> {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  created.push(id);
  const { client, taskQueue, steadfast } = office.orders;
  const rent = newRent();
  await steadfast.schedules.create(id, rent);
  const { action } = await client.schedule.getHandle(id).describe();
  const start: PeriodStart = periodStart.parse(action.args?.[0]);
  const share = jitterOf(`transfer:${id}:${period}`, 1e9) / 1e9;
  const jitterMs = (Date.now() + jitterLeftMs - Date.parse(nominal)) / share;
  const run = await client.workflow.start('startPeriod', {
    workflowId: `${id}-${nominal}`,
    taskQueue,
    args: [{ ...start, jitterMs }],
  });
  const hasTimer = async () => {
    const { events } = await run.fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes);
  };
  while (!(await hasTimer())) await sleep(50);
  return { id, rent, schedules: steadfast.schedules, goesOn: () => run.result() };
}

describe.each([
  ['for a worker', withoutWorker],
  ['out its jitter', inJitter],
])('a period that waits %s', (_, wait) => {
  it('is not started when its schedule was paused', async () => {
    const { id, rent, schedules, goesOn } = await wait();
    await schedules.pause(id, 'the flat is empty');
    await expect(goesOn()).rejects.toMatchObject({
      cause: {
        type: 'NeedsOperator',
        message:
          `The schedule ${id} is paused, so ${period} was not started. To start it all the same: ` +
          `npx --no-install steadfast schedule trigger ${id} --period ${period}`,
      },
    });
    expect(timesSent(rent)).toBe(0);
    expect(await schedules.trigger(id, period, { beforeCreation: true })).toMatchObject({
      outcome: 'started',
    });
  });

  it('is not started when its schedule was created again with another order', async () => {
    const { id, rent, schedules, goesOn } = await wait();
    await schedules.remove(id);
    const corrected = newRent();
    await schedules.create(id, corrected);
    await expect(goesOn()).rejects.toMatchObject({
      cause: {
        type: 'NeedsOperator',
        message:
          `The schedule ${id} now starts other orders, so this one was not started. ` +
          'Start the period that is meant: ' +
          `npx --no-install steadfast schedule trigger ${id} --period <period>`,
      },
    });
    const { workflowId } = await schedules.trigger(id, period, { beforeCreation: true });
    await office.orders.client.workflow.getHandle(workflowId).result();
    expect([timesSent(rent), timesSent(corrected)]).toEqual([0, 1]);
  });
});
