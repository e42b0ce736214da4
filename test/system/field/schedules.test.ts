import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { DateTime } from 'luxon';
import { parseUnits } from 'viem';
import { matchingTimes } from '../../../src/client/temporal/matchingTimes';
import { runCli } from '../../cli/runCli';
import { watchedCli } from '../../cli/watchedCli';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { createServe } from '../../support/orders';
import { inSandbox } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';

const folder = newFolder();
const serve = createServe();
const dayMs = 86_400_000;
const flat = (text: string) => text.replace(/\s+/g, ' ');

const sandbox = inSandbox();
let client: Client;
const created: string[] = [];
beforeAll(async () => {
  client = new Client({ connection: await Connection.connect({ address: temporalAddress() }) });
  stopLater(async () => {
    const gone = (id: string) => client.schedule.getHandle(id).delete();
    await Promise.all(created.map((id) => gone(id).catch(() => undefined)));
    await client.connection.close();
  });
});

/** A rent in a file, and where it is paid. */
function rent(walletId = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17') {
  const [to, path] = [someone(), join(folder, `${randomUUID()}.json`)];
  const order = { from: { walletId }, to, amount: '0.25', token: 'USDC' };
  writeFileSync(path, JSON.stringify({ ...order, reference: 'rent of {period}' }));
  return { to, path };
}

/** Creates a schedule on the command line, or is refused. */
async function create(flags: readonly string[], { path } = rent(), taskQueue = 'nobody') {
  const id = `rent-${randomUUID().slice(0, 8)}`;
  created.push(id);
  const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: taskQueue };
  const ofRent = ['--kind', 'transferStablecoin', '--file', path];
  const { code, stdout, stderr } = await runCli(
    ['schedule', 'create', id, ...ofRent, ...flags],
    env,
  );
  const isThere = await client.schedule
    .getHandle(id)
    .describe()
    .then(Boolean, () => false);
  return { id, env, code, isThere, stdout, told: flat(stdout + stderr) };
}

const timed = (cron: string, period: string, timeZone = 'UTC') => [
  ...['--cron', cron, '--period', period, '--time-zone', timeZone],
];

/** All the times that Temporal itself names, as days of UTC. */
async function daysIn(id: string): Promise<string[]> {
  const times = await matchingTimes(client, id, [Date.now(), Date.UTC(2100, 0)]);
  return times.map((time) => new Date(time).toISOString().slice(0, 10));
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The months from this one on, each as its year and its number from 0. */
const months = Array.from({ length: 12 * 60 }, (_, at) => {
  const first = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + at));
  return [first.getUTCFullYear(), first.getUTCMonth()] as const;
});

/** The months between two dues of which none is one, by the given day of each, at an hour of UTC. */
function monthsWithout(isDue: (day: Date) => boolean, hour = 9): string[] {
  const due = months.map(([year, month]) => {
    const all = Array.from(
      { length: 31 },
      (_, at) => new Date(Date.UTC(year, month, at + 1, hour)),
    );
    return all.some(
      (day) => day.getUTCMonth() === month && day.getTime() > Date.now() && isDue(day),
    );
  });
  return months
    .map(([year, month]) => `${year}-${String(month + 1).padStart(2, '0')}`)
    .filter((_, at) => due[at] === false && at > due.indexOf(true));
}

describe('a schedule that leaves out a period (field A, F6)', () => {
  // Source: `--cron "0 9 31 * *" --period yyyy-MM` said "Created", and paid seven months of twelve.
  // The hour is the due time's, in UTC and in winter.
  it.each<[string, string, number, (day: Date) => boolean]>([
    ['0 9 31 * *', 'UTC', 9, (day) => day.getUTCDate() === 31],
    ['0 9 30 * *', 'Europe/Kyiv', 7, (day) => day.getUTCDate() === 30],
    ['0 9 29 * *', 'America/New_York', 14, (day) => day.getUTCDate() === 29],
    ['0 9 1 * 1-5', 'UTC', 9, (day) => day.getUTCDate() === 1 && day.getUTCDay() % 6 !== 0],
    ['0 9 29-31 * *', 'UTC', 9, (day) => day.getUTCDate() > 28],
  ])('%s in %s is refused with the names of the months', async (cron, timeZone, hour, isDue) => {
    const { code, told, isThere } = await create(timed(cron, 'yyyy-MM', timeZone));
    const without = monthsWithout(isDue, hour);
    if (cron === '0 9 29-31 * *') {
      // It is two periods of one name in the other months, which is refused already.
      expect({ code, isThere }).toEqual({ code: 2, isThere: false });
      return;
    }
    const first = without.slice(0, 5);
    expect(told).toContain(
      `Error: --cron: "${cron}" in ${timeZone} leaves out ${first.join(', ')}`,
    );
    expect({ code, isThere }).toEqual({ code: 2, isThere: false });
    // The last day of the month would move a payday that is the first by a month.
    const isOfWeekdays = cron.endsWith('1-5');
    expect(told).toContain(
      isOfWeekdays
        ? 'A day of month and a weekday must both fit. Leave one of them as *.'
        : 'Give cron "0 9 L * *" for the last day of the month',
    );
    const ofYear = [...new Set(without.map((month) => month.slice(5)))];
    const [, flag = ''] = /--leaves-out (\S+?)\.? *$/.exec(told.trim()) ?? [];
    expect(new Set(flag.split(',').map((month) => month.slice(5)))).toEqual(new Set(ofYear));
    // Confirmed by name, it is created.
    const confirmed = await create([
      ...timed(cron, 'yyyy-MM', timeZone),
      ...['--leaves-out', flag],
    ]);
    expect(confirmed).toMatchObject({ code: 0, isThere: true });
    // Each month of the year has to be named.
    const [one = '', ...others] = flag.split(',');
    if (others.length === 0) return;
    const half = await create([...timed(cron, 'yyyy-MM', timeZone), '--leaves-out', one]);
    expect(half).toMatchObject({ code: 2, isThere: false });
  });

  // Source: `--cron "0 9 29 2 *" --period yyyy` was created, and left out three years of four.
  it.each<[string, string[], string]>([
    ['a leap day', timed('0 9 29 2 *', 'yyyy'), '--cron: "0 9 29 2 *" in UTC leaves out 20'],
    [
      'the second of two days',
      timed('0 9 15,30 * *', 'yyyy-MM-dd'),
      `--cron: "0 9 15,30 * *" in UTC leaves out ${monthsWithout((day) => day.getUTCDate() === 30)[0]}`,
    ],
    [
      'a day of some weeks',
      timed('0 9 31 * *', "yyyy-'W'ww"),
      '--cron: "0 9 31 * *" in UTC leaves out',
    ],
    ['a week', ['--every', '14d', '--period', "yyyy-'W'ww"], '--every: every 14d leaves out 20'],
    ['a week', ['--every', '8d', '--period', "yyyy-'W'ww"], '--every: every 8d leaves out 20'],
    ['a day', ['--every', '25h', '--period', 'yyyy-MM-dd'], '--every: every 25h leaves out 20'],
    ['a month', ['--every', '31d', '--period', 'yyyy-MM'], '--every: every 31d leaves out 20'],
    ['a year', ['--every', '400d', '--period', 'yyyy'], '--every: every 400d leaves out 20'],
  ])('%s is told for every form of a period: %j', async (_, flags, words) => {
    const { code, told, isThere } = await create(flags);
    expect(told).toContain(words);
    expect({ code, isThere }).toEqual({ code: 2, isThere: false });
    const [, flag = ''] = /--leaves-out (\S+?)\.? *$/.exec(told.trim()) ?? [];
    expect(await create([...flags, '--leaves-out', flag])).toMatchObject({ code: 0 });
  });

  // Source: what a schedule says by its own names is no surprise.
  it.each([
    ['a quarter', timed('0 9 1 */3 *', 'yyyy-MM')],
    ['each working day', timed('0 9 * * 1-5', 'yyyy-MM-dd')],
    ['a Friday', timed('0 9 * * 5', "yyyy-'W'ww")],
    ['the first Monday', timed('0 9 1-7 * 1', 'yyyy-MM')],
    ['a day a year', timed('0 9 28 2 *', 'yyyy')],
    ['three months that have that day', [...timed('0 9 31 1,3,5 *', 'yyyy-MM'), '--runs', '3']],
  ])('%s is created', async (_, flags) => {
    expect(await create(flags)).toMatchObject({ code: 0, isThere: true });
  });
});

describe('the last days of a month (field A, F6 and C 1)', () => {
  const last = ([year, month]: readonly [number, number]) => Date.UTC(year, month + 1, 0, 9);
  const working = (of: readonly [number, number], holidays: readonly string[] = []) => {
    let day = last(of);
    while ([0, 6].includes(new Date(day).getUTCDay()) || holidays.includes(dayOf(day)))
      day -= dayMs;
    return day;
  };
  const coming = (all: readonly number[]) => all.filter((day) => day > Date.now()).map(dayOf);

  // Source: temporal#5811 and "0 9 L * *" was answered "not in range [1-31]".
  it.each<[string, (month: readonly [number, number]) => number]>([
    ['0 9 L * *', last],
    ['0 9 LW * *', working],
  ])('%s comes on that day of every month, by the times of Temporal itself', async (cron, of) => {
    const { id, code, stdout } = await create(timed(cron, 'yyyy-MM'));
    const days = coming(months.map((month) => of(month)));
    expect({ code, days: await daysIn(id) }).toEqual({ code: 0, days: expect.anything() });
    expect((await daysIn(id)).slice(0, 700)).toEqual(days.slice(0, 700));
    expect(stdout).toContain(`${days[0]?.slice(0, 7)}  ${days[0]} 09:00 UTC`);
  });

  // Source: C 1, "holidays moved to the working day before".
  it('a holiday moves the last working day to the working day before', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const base = [2, 11].map((month) => dayOf(working([year, month])));
    const before = dayOf(working([year, 11], base));
    const holidays = [...base, before, `${year}-01-01`];
    const flags = [...timed('30 17 LW * *', 'yyyy-MM', 'Europe/Berlin')];
    const { id, code } = await create([...flags, '--holidays', holidays.join(',')]);
    expect(code).toBe(0);
    const inBerlin = (day: number) =>
      DateTime.fromISO(`${dayOf(day)}T17:30`, { zone: 'Europe/Berlin' }).toMillis();
    const days = coming(months.map((month) => inBerlin(working(month, holidays))));
    expect((await daysIn(id)).slice(0, 700)).toEqual(days.slice(0, 700));
    expect(days).not.toContain(base[0]);
  });
});

describe('a time that clocks skip (field A, F6)', () => {
  const zone = /-03-/.test(dayOf(Date.now())) ? 'Australia/Sydney' : 'Europe/Berlin';
  // Source: half past two was refused on the first of a month, where no clock is changed.
  it.each([
    ['a day on which none is changed', timed('30 2 1 * *', 'yyyy-MM', 'Europe/Berlin')],
    ['working days', timed('30 2 * * 1-5', 'yyyy-MM-dd', 'Europe/Berlin')],
    ['the last working day', timed('30 2 LW * *', 'yyyy-MM', 'Europe/Berlin')],
    ['a schedule that ends before', [...timed('30 2 * * *', 'yyyy-MM-dd', zone), '--runs', '3']],
  ])('is no fault for %s', async (_, flags) => {
    expect(await create(flags)).toMatchObject({ code: 0, isThere: true });
  });

  // Source: the last Sunday of March, on which they are changed.
  it('comes at the first moment after the gap', async () => {
    const { code, told } = await create(timed('30 2 25-31 3 0', 'yyyy', 'Europe/Berlin'));
    expect(code).toBe(0);
    expect(told).toMatch(/-03-\d\d 03:00 Europe\/Berlin/);
    expect(told).not.toContain(' 02:30 ');
  });

  // Source: the last Sunday of October, on which the clocks repeat the hour.
  it.each([
    ['30 2 * * 0', "yyyy-'W'ww"],
    ['30 2 L * *', 'yyyy-MM'],
  ])('and that they repeat on another day is refused for %s', async (cron, period) => {
    const { code, told, isThere } = await create(timed(cron, period, 'Europe/Berlin'));
    expect(told).toMatch(/--period: .* makes one period, .* so only the first would be paid/);
    expect({ code, isThere }).toEqual({ code: 2, isThere: false });
  });
});

describe('a backfill (field A, F12)', () => {
  const year = new Date().getUTCFullYear() - 1;
  const days = ['--from', `${year}-06-01`, '--to', `${year}-10-31`];

  /** A schedule over the chain of the sandbox, and all that was paid for it. */
  async function rented() {
    const wallet = await sandbox.fundedWallet('EOA');
    const { taskQueue } = await serve(sandbox.client, { baseUrl: sandbox.baseUrl });
    const file = rent(wallet.id);
    const { id, env } = await create(timed('0 9 1 * *', 'yyyy-MM'), file, taskQueue);
    const paid = async () =>
      (await sandbox.transfers({ from: wallet.address, to: file.to })).map(({ value }) => value);
    return { id, env, paid };
  }

  // Source: created on 26 November, "backfill --from 2026-06-01 --to 2026-10-31" paid five rents.
  it('of periods before the schedule was created is refused, and pays nothing', async () => {
    const { id, env, paid } = await rented();
    const { code, stderr } = await runCli(['schedule', 'backfill', id, ...days], env);
    expect(flat(stderr)).toContain(
      `--from: 5 periods, ${year}-06 to ${year}-10, lie before ${id} was created`,
    );
    expect(stderr).toContain('--before-creation');
    expect(code).toBe(2);
    await sleep(2_000);
    expect(await paid()).toEqual([]);
  });

  // Source: the command asked nothing, also on a terminal.
  it('tells count, first, last and sum on a terminal, and pays after a yes alone', async () => {
    const { id, env, paid } = await rented();
    const args = ['schedule', 'backfill', id, ...days, '--before-creation'];
    const no = await watchedCli(args, env, 'n');
    const told = flat(no.stdout + no.stderr);
    expect(told).toContain(`5 periods of ${id}, ${year}-06 to ${year}-10`);
    expect(told).toContain('1.25 USDC');
    expect(told).toContain('Start these periods? [y/N]');
    expect(told).toContain('Nothing was started.');
    expect(no.code).toBe(1);
    await sleep(2_000);
    expect(await paid()).toEqual([]);

    expect(await watchedCli(args, env, 'y')).toMatchObject({ code: 0 });
    const units = parseUnits('0.25', 6);
    while ((await paid()).length < 5) await sleep(200);
    // Nobody is asked with --yes, and none of them is paid a second time.
    const again = await watchedCli([...args, '--yes'], env);
    expect(again.code).toBe(0);
    expect(again.stderr).not.toContain('[y/N]');
    await sleep(2_000);
    expect(await paid()).toEqual(Array.from({ length: 5 }, () => units));
  });

  // Source: what a schedule has missed on the day of its creation is no reason to pay what was before.
  it('begins at the moment of the creation, and leaves what has not come to the schedule', async () => {
    const path = rent().path;
    const hourly = ['--every', '1s', '--period', 'yyyyMMddHHmmss'];
    const { id, env } = await create(hourly, { to: '', path });
    const [from, to] = [dayOf(Date.now()), dayOf(Date.now() + 2 * dayMs)];
    const backfill = (...flags: string[]) =>
      runCli(['schedule', 'backfill', id, '--to', to, ...flags], env);
    await sleep(2_000);
    const whole = flat((await backfill('--from', from)).stderr);
    const [, moment = ''] = /Begin at that moment: --from (\S+)\. /.exec(whole) ?? [];
    const some = await backfill('--from', moment, '--json');
    const { periods, sum } = JSON.parse(some.stdout);
    const times: number[] = periods.map(({ at }: { at: string }) => Date.parse(at));
    expect(times.length).toBeGreaterThan(1);
    expect(Number(sum.USDC)).toBe(times.length * 0.25);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse(moment));
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
    // The first and the last of them are started, to the second.
    const { state } = await client.schedule.getHandle(id).describe();
    expect(state.paused).toBe(false);
    for (const time of [Math.min(...times), Math.max(...times)]) {
      const workflowId = `schedule:${id}-${new Date(time).toISOString().replace('.000', '')}`;
      const run = () => client.workflow.getHandle(workflowId).describe();
      while ((await run().catch(() => undefined)) === undefined) await sleep(200);
    }
    const early = await backfill('--from', dayOf(Date.now() + dayMs));
    expect(flat(early.stderr)).toContain('has not come yet');
    expect((await backfill('--from', 'today')).stderr).toContain('"today" is not a day');
  });

  // Source: the times of a backfill are the owner's too, whatever Temporal has made of them.
  it('is refused where Temporal has other times than the schedule', async () => {
    const { id, env, paid } = await rented();
    const handle = client.schedule.getHandle(id);
    await handle.update(({ spec, ...others }) => ({
      ...others,
      spec: { ...spec, intervals: [{ every: '7d' }] },
    }));
    const args = ['schedule', 'backfill', id, ...days, '--before-creation', '--yes'];
    const { code, stderr } = await runCli(args, env);
    expect(flat(stderr)).toContain('Temporal would start');
    expect(code).toBe(2);
    await sleep(2_000);
    expect(await paid()).toEqual([]);
  });
});
