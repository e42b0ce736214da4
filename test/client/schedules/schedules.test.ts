import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSteadfast } from '../../../src/client/client';
import { signedStatement } from '../../../src/orders/input/signed';
import { periodStart, type Schedule } from '../../../src/orders/schedule/schedule';
import { readRequest } from '../../../src/writer/signing/statement';
import { runCli } from '../../cli/runCli';
import { transferOrder } from '../../support/service/scriptedCustody';
import { temporalAddress } from '../../support/temporal';
import { type TestKey, testKeys } from '../../writer/signing/keys';
import { listingSlowly } from './listingThen';
import { serveSchedules } from './serveSchedules';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
const monthly = { cron: '0 9 1 * *', timeZone: 'Europe/Berlin', period: 'yyyy-MM' };
const transfers = { kind: 'transferStablecoin' as const };

const office = serveSchedules();
const { created } = office;

let amounts = 0;
function scheduleOf(given: Partial<Schedule> = {}): Schedule {
  amounts += 1;
  const order = { ...transferOrder, amount: `0.${amounts}1`, reference: 'rent of {period}' };
  return { ...transfers, order, ...monthly, ...given };
}

async function create(
  given: Schedule = scheduleOf(),
  { schedules } = office.orders.steadfast,
): Promise<string> {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  created.push(id);
  await schedules.create(id, given);
  return id;
}

const timesSent = ({ order }: Schedule): number => office.timesSent(String(order.amount));

describe('a schedule', () => {
  test.concurrent('tells its policies, its next periods and its order', async () => {
    const { schedules } = office.orders.steadfast;
    const id = await create(scheduleOf({ until: '2099-12-31', runs: 12, jitter: '10m' }));
    const { next, until = '', ...told } = await schedules.describe(id);
    expect(told).toMatchObject({
      id,
      kind: 'transferStablecoin',
      when: '"0 9 1 * *" in Europe/Berlin',
      timeZone: 'Europe/Berlin',
      template: 'yyyy-MM',
      jitterMs: 600_000,
      runsLeft: 12,
      catchUpMs: yearMs,
      missed: 0,
      order: expect.stringContaining('reference rent of {period}'),
      orders: [],
      troubles: [],
    });
    expect(next).toHaveLength(5);
    // The twelfth period, which comes before the last day.
    const [first] = next;
    expect(Date.parse(until) - Date.parse(first?.at ?? '')).toBeGreaterThan(330 * dayMs);
    expect(Date.parse(until) - Date.parse(first?.at ?? '')).toBeLessThan(340 * dayMs);
    for (const { period, at } of next) {
      // Nine o'clock in Berlin, in winter and in summer.
      const hour = /^(11|12|01|02|03)$/.test(period.slice(5)) ? '08' : '07';
      expect(at).toBe(`${period}-01T${hour}:00:00.000Z`);
    }
    const { policies } = await office.orders.client.schedule.getHandle(id).describe();
    const overlap = 'ALLOW_ALL';
    expect(policies).toEqual({ overlap, catchupWindow: yearMs, pauseOnFailure: false });
  });

  test.concurrent('is paused, resumed, listed and deleted', async () => {
    const { schedules } = office.orders.steadfast;
    const id = await create();
    await schedules.pause(id, 'the flat is empty');
    expect(await schedules.describe(id)).toMatchObject({ paused: 'the flat is empty' });
    await expect(schedules.backfill(id, { from: '2026-01-01', to: '2026-01-31' })).rejects.toThrow(
      `id: the schedule "${id}" is paused, and starts no periods. Resume it, and backfill then`,
    );
    await schedules.resume(id);
    expect(await schedules.describe(id)).not.toHaveProperty('paused');
    const isListed = async () =>
      (await schedules.list()).find((listed) => listed.id === id && listed.next !== undefined);
    while ((await isListed()) === undefined) await sleep(200);
    expect(await isListed()).toMatchObject({ kind: 'transferStablecoin', id });
    await schedules.remove(id);
    const gone = `id: Temporal knows no schedule "${id}".`;
    await expect(schedules.describe(id)).rejects.toThrow(gone);
    await expect(schedules.pause(id, 'why')).rejects.toThrow(gone);
    await expect(schedules.trigger(id, '2026-01')).rejects.toThrow(gone);
  });

  test.concurrent('tells no period that has gone by while it was being created', async () => {
    const { client, taskQueue } = office.orders;
    const { schedules } = createSteadfast({ client: listingSlowly(client, 2_500), taskQueue });
    const id = `rent-${randomUUID().slice(0, 8)}`;
    created.push(id);
    const { cron: _, ...given } = scheduleOf({ period: 'yyyyMMddHHmmss', timeZone: 'UTC' });
    const next = await schedules.create(id, { ...given, every: '1s' });
    const first = next[0]?.period ?? '';
    expect(first).not.toBe('');
    const begun = async () => (await schedules.describe(id)).orders.map(({ period }) => period);
    while (!(await begun()).some((period) => period > first)) await sleep(200);
    await schedules.pause(id, 'seen');
    expect(await begun()).toContain(first);
  });

  test.concurrent('has the scope of its system before its id and those of its orders', async () => {
    const { client, taskQueue } = office.orders;
    const { schedules } = createSteadfast({ client, taskQueue, keyScope: 'shop-2' });
    const id = `rent-${randomUUID().slice(0, 8)}`;
    await schedules.create(id, scheduleOf());
    const { workflowId } = await schedules.trigger(id, '2026-01', { beforeCreation: true });
    expect(workflowId).toBe(`shop-2:transfer:${id}:2026-01`);
    await schedules.remove(id);
  });

  test.concurrent('is refused where strict would refuse all periods but the first', async () => {
    const weekly = { cron: '0 9 * * 5', period: "yyyy-'W'ww" };
    const order = { ...transferOrder, strict: true };
    await expect(create(scheduleOf({ ...weekly, order }))).rejects.toThrow(
      'strict: "0 9 * * 5" in Europe/Berlin comes again within 20 days. A worker with an archive ' +
        'would refuse each period but the first for the payment of the one before. Leave strict out.',
    );
    await expect(create(scheduleOf({ order }))).resolves.toBeDefined();
  });

  test.concurrent('is refused where a period would come twice, or never come', async () => {
    const refusals: string[] = [];
    for (const given of [
      { cron: '0 9 * * *' },
      { cron: '30 1 * * *', period: 'yyyy-MM-dd', timeZone: 'America/New_York' },
      { cron: undefined, every: '1h', period: 'yyyy-MM-dd:HH' },
      { cron: undefined, every: '1s', period: 'yyyy-MM-dd:HHmmss' },
      { cron: '0 9 30 2 *' },
      { until: '2020-01-01' },
      { cron: '0 25 * * *', period: 'yyyy-MM-dd' },
      { cron: '0 9 30 1,2 *' },
    ]) {
      const why = await create(scheduleOf(given)).catch((error: Error) => error.message);
      refusals.push(
        why
          .replaceAll(/\d{4}-\d\d-\d\d/g, '<day>')
          .replaceAll(/\d{4}-\d\d\b(?!:)/g, '<month>')
          .replace(/ \d\d more/, ' 67 more'),
      );
    }
    expect(refusals).toMatchInlineSnapshot(`
[
  "period: yyyy-MM makes one period, <month>, of <day>T08:00:00.000Z and <day>T08:00:00.000Z, so only the first would be paid. Give a finer template, times that the clocks do not repeat, or UTC.",
  "period: yyyy-MM-dd makes one period, <day>, of <day>T05:30:00.000Z and <day>T06:30:00.000Z, so only the first would be paid. Give a finer template, times that the clocks do not repeat, or UTC.",
  "period: yyyy-MM-dd:HH makes one period, <day>:02, of <day>T00:00:00.000Z and <day>T01:00:00.000Z, so only the first would be paid. Give a finer template, times that the clocks do not repeat, or UTC.",
  "period: yyyy-MM-dd:HHmmss makes one period, <day>:020000, of <day>T00:00:00.000Z and <day>T01:00:00.000Z, so only the first would be paid. Give a finer template, times that the clocks do not repeat, or UTC.",
  "cron: "0 9 30 2 *" in Europe/Berlin never comes, or not before it ends.",
  "cron: "0 9 1 * *" in Europe/Berlin never comes, or not before it ends.",
  "cron: "0 25 * * *" is not a cron expression: its hour "25" is not in 0-23.",
  "cron: "0 9 30 1,2 *" in Europe/Berlin leaves out <month>, <month>, <month>, <month>, <month> and 67 more. Give cron "0 9 L 1,2 *" for the last day of the month, or "0 9 LW 1,2 *" for its last working day. If it is meant to leave them out, confirm it by name: --leaves-out <month>.",
]
`);
    // It ends before the clocks repeat an hour.
    const { cron: _, ...hourly } = scheduleOf({ every: '1h', period: 'yyyy-MM-dd:HH', runs: 3 });
    await create(hourly);
    await create(scheduleOf({ cron: '0 9 30 1,2 *', leavesOut: ['2027-02'] }));
    const id = await create();
    await expect(office.orders.steadfast.schedules.create(id, scheduleOf())).rejects.toThrow(
      `id: the schedule "${id}" is there already.`,
    );
  });
});

describe('a schedule that is signed', () => {
  const makeKey = testKeys();
  const [backend, another] = [makeKey('backend'), makeKey('another')];
  /** A client that signs with a key. */
  const signingWith = ({ sign }: TestKey, client = office.orders.client) => {
    const { taskQueue } = office.orders;
    const signing = { sign, entity: 'e1', blockchain: 'ARC-TESTNET' };
    return createSteadfast({ client, taskQueue, signing });
  };

  test.concurrent('is signed again for its own order alone, by the key that has signed it', async () => {
    const steadfast = signingWith(backend);
    const id = await create(scheduleOf(), steadfast);
    const others = 'Its order and its times are not those that this key has signed before.';
    const yes = { isAgreed: async () => true };
    await expect(signingWith(another).schedules.sign(id, yes)).rejects.toThrow(others);
    // Anybody who reaches Temporal can change what a schedule starts.
    await office.orders.client.schedule.getHandle(id).update(({ action, ...rest }) => {
      const start = periodStart.parse(action.args?.[0]);
      const order = { ...start.order, amount: '5000' };
      return { ...rest, action: { ...action, args: [{ ...start, order }] } };
    });
    await expect(steadfast.schedules.sign(id, yes)).rejects.toThrow(others);
    const unsigned = await create();
    await expect(steadfast.schedules.sign(unsigned, yes)).rejects.toThrow(
      'It was not signed before.',
    );
  });

  test.concurrent('is signed for as many periods as it will start, though one passed meanwhile', async () => {
    const { client } = office.orders;
    const slowMs = 4_500;
    const slow = signingWith(backend, listingSlowly(client, slowMs));
    const { cron: _, ...given } = scheduleOf({ period: 'yyyyMMddHHmmss', timeZone: 'UTC' });
    const id = `rent-${randomUUID().slice(0, 8)}`;
    created.push(id);
    const askedMs = Date.now();
    await slow.schedules.create(id, { ...given, every: '4s', runs: 1 });
    const { action } = await client.schedule.getHandle(id).describe();
    const { request } = periodStart.parse(action.args?.[0]).order;
    const { periods } = readRequest(signedStatement.parse(request).statement);
    expect(periods?.times).toHaveLength(1);
    const periodMs = Date.parse(periods?.times[0] ?? '');
    // A period that had passed by the time when the list was there can start no more.
    expect(periodMs).toBeGreaterThan(askedMs + slowMs - 1_000);
  });

  // The command line loads its commands late, which Jest refuses beside a test that ends.
  test('tells how many periods are left, warns before the last ones, and is signed again', async () => {
    const { client, taskQueue } = office.orders;
    const steadfast = signingWith(backend);
    const { schedules } = steadfast;
    const id = await create(scheduleOf(), steadfast);
    const { signed } = await schedules.describe(id);
    expect(signed).toMatchObject({ left: 100, isEnding: false });
    // As if 95 of its periods had passed.
    const late = new Date(`${signed?.last}-15T00:00:00Z`);
    late.setUTCMonth(late.getUTCMonth() - 5);
    const beginAt = (startAt: Date) =>
      client.schedule.getHandle(id).update(({ spec, ...others }) => ({
        ...others,
        spec: { ...spec, startAt },
      }));
    await beginAt(late);
    const listed = async () => (await schedules.list()).find((one) => one.id === id);
    expect(await listed()).toMatchObject({
      signed: { left: 5, last: signed?.last, isEnding: true },
    });
    const cli = async (...args: string[]) => {
      const env = { TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_TASK_QUEUE: taskQueue };
      const { stdout, stderr } = await runCli(args, env);
      return stdout + stderr;
    };
    const words = `Signed: 5 coming periods, to ${signed?.last}. Sign the next ones with: `;
    expect(await cli('schedule', 'describe', id)).toContain(words);
    expect(await cli('schedule', 'list')).toContain(words);
    expect(await cli('doctor')).toMatch(
      new RegExp(`✗ Schedules: signed for few more periods: .*${id} for 5`),
    );
    // Its times are not those of its owner any more, so they are not signed.
    const yes = { isAgreed: async () => true };
    const other = `id: Temporal would start ${id} at other times than "0 9 1 * *"`;
    await expect(schedules.sign(id, yes)).rejects.toThrow(other);
    await beginAt(new Date());
    const again = await schedules.sign(id, yes);
    expect(again).toHaveLength(100);
    expect((await schedules.describe(id)).signed).toMatchObject({ left: 100, isEnding: false });
    const unsigning = office.orders.steadfast.schedules.sign(id, yes);
    await expect(unsigning).rejects.toThrow('id: nobody signs here.');
  });
});

/** Starts a period from before its schedule was created. */
const trigger = (id: string) =>
  office.orders.steadfast.schedules.trigger(id, '2026-01', { beforeCreation: true });

describe('a period', () => {
  test.concurrent('from before its schedule was created is started with a word for it alone', async () => {
    const { schedules } = office.orders.steadfast;
    const given = scheduleOf();
    const id = await create(given);
    await expect(schedules.trigger(id, '2026-01')).rejects.toThrow(
      new RegExp(
        `^period: 2026-01 lies before ${id} was created, at \\S+Z\\. If it is to be paid all the ` +
          'same, and no earlier schedule or person has paid it, add --before-creation\\.$',
      ),
    );
    expect(timesSent(given)).toBe(0);
  });

  test.concurrent('that is wanted twice at once, and again, is one order', async () => {
    const given = scheduleOf();
    const id = await create(given);
    const workflowId = `transfer:${id}:2026-01`;
    const both = await Promise.all([1, 2].map(() => trigger(id)));
    const nominal = '2026-01-01T08:00:00.000Z';
    for (const one of both) expect(one).toMatchObject({ period: '2026-01', nominal, workflowId });
    await office.orders.client.workflow.getHandle(workflowId).result();
    expect(await trigger(id)).toMatchObject({ outcome: 'completed' });
    expect(timesSent(given)).toBe(1);
    const { searchAttributes } = await office.orders.client.workflow
      .getHandle(workflowId)
      .describe();
    expect(searchAttributes.SteadfastRef).toEqual(['rent of 2026-01']);
  });

  test.concurrent('that the schedule does not have is started by nobody', async () => {
    const { schedules } = office.orders.steadfast;
    const given = scheduleOf({ cron: '0 9 1 1 *', until: '2030-12-31' });
    const id = await create(given);
    const trigger = (period: string) => schedules.trigger(id, period, { beforeCreation: true });
    await expect(trigger('2026-02')).rejects.toThrow(
      '"0 9 1 1 *" in Europe/Berlin never comes in 2026-02, so nothing was started.',
    );
    await expect(trigger('2031-01')).rejects.toThrow('never comes in 2031-01');
    await expect(trigger('2030-01')).rejects.toThrow(
      '2030-01 begins at 2030-01-01T08:00:00.000Z, so nothing was started.',
    );
    await expect(trigger('2026')).rejects.toThrow('period: "2026" is not of the form yyyy-MM.');
    await expect(schedules.backfill(id, { from: '2026-02-01', to: '2026-12-31' })).rejects.toThrow(
      'from: "0 9 1 1 *" in Europe/Berlin has no time from 2026-02-01 to 2026-12-31 so far.',
    );
    expect(timesSent(given)).toBe(0);
  });

  test.concurrent('is left to a person where Temporal itself was asked to trigger', async () => {
    const given = scheduleOf({ cron: '0 9 1 1 *', until: '2030-12-31' });
    const id = await create(given);
    await office.orders.client.schedule.getHandle(id).trigger();
    const troubles = async () => (await office.orders.steadfast.schedules.describe(id)).troubles;
    while ((await troubles()).length === 0) await sleep(200);
    const [trouble] = await troubles();
    expect(trouble?.why).toContain('is no time of "0 9 1 1 *" in Europe/Berlin');
    expect(trouble?.why).toContain(
      `npx --no-install steadfast schedule trigger ${id} --period <period>`,
    );
    const run = await office.orders.client.workflow.getHandle(trouble?.workflowId ?? '').describe();
    expect(run.searchAttributes.SteadfastStatus).toEqual(['NeedsOperator']);
    expect(timesSent(given)).toBe(0);
  });

  test.concurrent('that was another order under an earlier schedule is refused', async () => {
    const { schedules } = office.orders.steadfast;
    const earlier = scheduleOf();
    const id = await create(earlier);
    const { workflowId } = await trigger(id);
    await office.orders.client.workflow.getHandle(workflowId).result();
    await schedules.remove(id);
    const later = scheduleOf();
    await schedules.create(id, later);
    await expect(trigger(id)).rejects.toThrow(
      `id: "${workflowId}" belongs to another order: amount was "${earlier.order.amount}"`,
    );
    expect([timesSent(earlier), timesSent(later)]).toEqual([1, 0]);
  });
});
