import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteadfast } from '../../../src/client/client';
import type { TemporalToCheck } from '../../../src/health/finding';
import { checkSchedules } from '../../../src/health/temporal/checkSchedules';
import { periodStart } from '../../../src/orders/schedule/schedule';
import { setUp } from '../../support/jest/setUp';
import { createServe, runOrders } from '../../support/orders';
import { scriptedCustody, transferOrder } from '../../support/service/scriptedCustody';

const serve = createServe();
const custody = scriptedCustody({
  createTransfer: () => ({ id: randomUUID(), state: 'INITIATED' }),
});
const orders = setUp(() => runOrders(custody));

/** A schedule on a queue of its own, which has no workers yet. */
async function newSchedule() {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  const { client } = orders;
  const taskQueue = `later-${id}`;
  const { schedules } = createSteadfast({ client, taskQueue });
  const monthly = { cron: '0 9 1 * *', period: 'yyyy-MM' };
  await schedules.create(id, { kind: 'transferStablecoin', order: transferOrder, ...monthly });
  return { id, taskQueue, schedules };
}

async function findings(client = orders.client) {
  const { taskQueue } = orders;
  const { connection } = client;
  const config = { connection: {}, namespace: 'default', taskQueue, keyScope: '' };
  const asked = { client, connection, config, deployment: undefined, isFixing: false };
  return checkSchedules(asked as TemporalToCheck);
}

/** The server is shared with other tests, so the finding may name other schedules too. */
const isNamed = async (id: string): Promise<boolean> =>
  (await findings()).some(({ state, words }) => state === 'fault' && words.includes(id));

const january = { from: '2026-01-01', to: '2026-01-31', beforeCreation: true };

it('names a schedule while a period of it has failed to start', async () => {
  const { id, taskQueue, schedules } = await newSchedule();
  await schedules.backfill(id, january);
  // Temporal drops what it has not started yet when a schedule is paused.
  const period = orders.client.workflow.getHandle(`schedule:${id}-2026-01-01T09:00:00Z`);
  while ((await period.describe().catch(() => undefined)) === undefined) await sleep(100);
  await schedules.pause(id, 'the flat is empty');
  expect(await isNamed(id)).toBe(false);
  await serve(custody, { taskQueue });
  while (!(await isNamed(id))) await sleep(300);
  const [fault] = await findings();
  expect(fault).toMatchObject({ name: 'Schedules', belongsTo: 'operator' });
  expect(fault?.words).toMatch(/^periods were not started: .*rent-/);
  expect(fault?.mend).toMatch(/^See why with: npx --no-install steadfast schedule describe \S+$/);
  const { troubles } = await schedules.describe(id);
  expect(troubles[0]?.why).toContain(`The schedule ${id} is paused`);
  await schedules.trigger(id, '2026-01', { beforeCreation: true });
  while (await isNamed(id)) await sleep(300);
  expect(await schedules.describe(id)).toMatchObject({ troubles: [] });
  await schedules.remove(id);
});

it('names a schedule while a period of it waits for an hour longer than its jitter', async () => {
  const { id, schedules } = await newSchedule();
  await schedules.backfill(id, january);
  // As if it had waited for an hour.
  await orders.client.schedule.getHandle(id).update(({ action, ...others }) => {
    const start = periodStart.parse(action.args?.[0]);
    return { ...others, action: { ...action, args: [{ ...start, jitterMs: -3_600_000 }] } };
  });
  while (!(await isNamed(id))) await sleep(300);
  const { troubles } = await schedules.describe(id);
  expect(troubles).toEqual([
    {
      workflowId: `schedule:${id}-2026-01-01T09:00:00Z`,
      why: expect.stringMatching(
        /^It has waited since \S+Z\. See its pending activity in Temporal UI, and whether workers run\.$/,
      ),
    },
  ]);
  await schedules.remove(id);
});

it('goes on when somebody deletes a schedule that it has listed', async () => {
  const { id, schedules } = await newSchedule();
  const { schedule } = orders.client;
  const getHandle = (scheduleId: string) => {
    const handle = schedule.getHandle(scheduleId);
    if (scheduleId !== id) return handle;
    const describe = async () => {
      const told = await handle.describe();
      await schedules.remove(id);
      return told;
    };
    return { ...handle, describe };
  };
  const deleting = Object.create(schedule, { getHandle: { value: getHandle } });
  const all = await findings(Object.create(orders.client, { schedule: { value: deleting } }));
  await expect(schedules.describe(id)).rejects.toThrow('knows no schedule');
  expect(all.map(({ words }) => words).join()).not.toContain('not checked');
});
