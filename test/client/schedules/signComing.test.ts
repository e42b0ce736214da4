import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { createSteadfast } from '../../../src/client/client';
import { signOrder } from '../../../src/client/signing/signRequest';
import { signedStatement } from '../../../src/orders/input/signed';
import { endOfTime, type Rhythm, timesIn } from '../../../src/orders/schedule/rhythm';
import {
  type PeriodStart,
  periodStart,
  type Schedule,
} from '../../../src/orders/schedule/schedule';
import { type RequestStatement, readRequest } from '../../../src/writer/signing/statement';
import { testKeys } from '../../writer/signing/keys';

const makeKey = testKeys();
const [backend, another] = [makeKey('backend'), makeKey('another')];
const signingWith = ({ sign }: typeof backend) => {
  return { sign, entity: 'e1', blockchain: 'ARC-TESTNET' };
};
const order = {
  from: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
  to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
  amount: '2',
  token: 'USDC',
};
const kind = 'transferStablecoin' as const;
const template = 'yyyy-MM-dd';
const weekly = { cron: '0 9 * * 1' };
const daily = { cron: '0 9 * * *' };
/** The schedule as its owner gives it. */
const payroll: Schedule = { kind, order, period: template, ...weekly };
const yes = { isAgreed: async () => true };

/** The next times of a rhythm, as a Temporal tells them that does what it should. */
const timesOf = (rhythm: Rhythm): number[] =>
  timesIn({ rhythm, timeZone: 'UTC' }, [Date.now(), endOfTime], 1_000);

type Update = { spec: object; action: { args: unknown[] }; policies: object };

/** A client of a Temporal that somebody else controls: it shows this schedule, and these times. */
function forgedSchedule(start: PeriodStart, times: readonly number[]) {
  const updates: Update[] = [];
  const action = { workflowType: 'startPeriod', args: [start] };
  const told = () => {
    const info = updates.length === 0 ? {} : { lastUpdatedAt: new Date(updates.length) };
    return { spec: {}, action, state: {}, info, policies: { catchupWindow: 5 } };
  };
  const handle = {
    describe: async () => ({ scheduleId: 'payroll', ...told() }),
    update: async (change: (told: object) => Update) => void updates.push(change(told())),
  };
  const client = {
    options: { namespace: 'default' },
    connection: { operatorService: { listSearchAttributes: async () => ({}) } },
    schedule: { getHandle: () => handle },
    workflowService: {
      listScheduleMatchingTimes: async () => ({ startTime: times.map((time) => msToTs(time)) }),
    },
  };
  return { client: client as unknown as Client, updates };
}

/** The start of a payroll of every Monday, as its creator has signed it. */
async function signedPayroll(
  fields: Partial<PeriodStart> = {},
  by = backend,
): Promise<PeriodStart> {
  const times = [new Date(Date.UTC(2026, 0, 5, 9)).toISOString()];
  const rhythm = fields.rhythm ?? weekly;
  const start = { scheduleId: 'payroll', idsBegin: 'transfer:payroll', kind, ...fields };
  const form = fields.template ?? template;
  const rest = { template: form, timeZone: 'UTC', rhythm, jitterMs: 0 };
  const { client } = forgedSchedule({ ...start, order, ...rest }, []);
  const periods = { template: form, timeZone: 'UTC', rhythm, times };
  const asked = { kind, workflowId: start.idsBegin, order, periods };
  const signed = await signOrder({ client, taskQueue: 'q', signing: signingWith(by) }, asked);
  return { ...start, ...rest, order: signed };
}

const statementsIn = (updates: readonly Update[]): RequestStatement[] =>
  updates.map(({ action }) => {
    const { request } = periodStart.parse(action.args[0]).order;
    return readRequest(signedStatement.parse(request).statement);
  });

function schedulesOf(start: PeriodStart, times: readonly number[], keyScope = '') {
  const { client, updates } = forgedSchedule(start, times);
  const signing = signingWith(backend);
  const steadfast = createSteadfast({ client, taskQueue: 'q', keyScope, signing });
  return { schedules: steadfast.schedules, updates };
}

const notBefore = 'Its order and its times are not those that this key has signed before.';

describe('a schedule that a person confirms', () => {
  it('is signed for the times that this machine computes, and all of it is written', async () => {
    const times = timesOf(weekly);
    const { schedules, updates } = schedulesOf(await signedPayroll(), times);
    const periods = await schedules.sign('payroll', yes);
    const signed = times.slice(0, 100).map((time) => new Date(time).toISOString());
    expect(periods.map(({ at }) => at)).toEqual(signed);
    expect(statementsIn(updates).map((one) => one.periods?.times)).toEqual([signed]);
    const spec = { cronExpressions: ['0 9 * * 1'], timezone: 'UTC' };
    const policies = { overlap: 'ALLOW_ALL', catchupWindow: 5, pauseOnFailure: false };
    expect(updates).toEqual([expect.objectContaining({ spec, policies })]);
  });

  it.each<[string, Partial<PeriodStart>]>([
    ['the orders of another one', { idsBegin: 'transfer:rent' }],
    ['the periods of another one', { scheduleId: 'rent' }],
    ['orders of another scope', { idsBegin: 'shop:transfer:payroll' }],
  ])('is not signed if it starts %s', async (_, fields) => {
    const { schedules, updates } = schedulesOf(await signedPayroll(fields), timesOf(weekly));
    const words = 'It starts the orders of another one.';
    await expect(schedules.sign('payroll', yes)).rejects.toThrow(words);
    expect(updates).toEqual([]);
  });

  it('is signed for the ids of its key scope', async () => {
    const fields = { scheduleId: 'shop:payroll', idsBegin: 'shop:transfer:payroll' };
    const times = timesOf(weekly);
    const { schedules, updates } = schedulesOf(await signedPayroll(fields), times, 'shop');
    await schedules.sign('payroll', yes);
    expect(statementsIn(updates).map((one) => one.order)).toEqual(['shop:transfer:payroll']);
  });

  it.each<[string, Partial<PeriodStart>]>([
    ['another cron expression', { rhythm: daily }],
    ['a later end', { rhythm: { ...weekly, until: '2030-01-01T00:00:00.000Z' } }],
    ['another time zone', { timeZone: 'Asia/Tokyo' }],
    ['another template', { template: "yyyy-MM-dd'T'HH" }],
  ])('is not signed with %s than its key has signed', async (_, fields) => {
    const changed = { ...(await signedPayroll()), ...fields };
    const { schedules, updates } = schedulesOf(changed, timesOf(changed.rhythm));
    await expect(schedules.sign('payroll', yes)).rejects.toThrow(notBefore);
    expect(updates).toEqual([]);
  });

  it.each([
    ['denser', timesOf(daily)],
    ['a day later', timesOf({ cron: '0 9 * * 2' })],
    ['an hour later', timesOf({ cron: '0 10 * * 1' })],
    ['fewer', timesOf(weekly).slice(0, 3)],
    ['none', []],
  ])('is not signed where Temporal names %s times', async (_, times) => {
    const { schedules, updates } = schedulesOf(await signedPayroll(), times);
    const asked: unknown[] = [];
    const isAgreed = async (periods: unknown) => asked.push(periods) > 0;
    const due = timesOf(weekly);
    const at = due.findIndex((time, index) => times[index] !== time);
    const inWords = (time: number | undefined) =>
      time === undefined ? 'no time' : new Date(time).toISOString();
    await expect(schedules.sign('payroll', { isAgreed })).rejects.toThrow(
      'id: Temporal would start payroll at other times than "0 9 * * 1" in UTC: at ' +
        `${inWords(times[at])} instead of ${inWords(due[at])}. Nothing is signed.`,
    );
    expect({ asked, updates }).toEqual({ asked: [], updates: [] });
  });

  it('is signed for the last days of months, which its calendars in Temporal have too', async () => {
    const rhythm = { cron: '0 9 LW * *', holidays: ['2026-12-31'] };
    const fields = { rhythm, template: 'yyyy-MM' };
    const times = timesOf(rhythm);
    const { schedules, updates } = schedulesOf(await signedPayroll(fields), times);
    await schedules.sign('payroll', yes);
    const signed = times.slice(0, 100).map((time) => new Date(time).toISOString());
    expect(statementsIn(updates).map((one) => one.periods)).toEqual([
      { ...fields, timeZone: 'UTC', times: signed },
    ]);
    const skip = [expect.objectContaining({ year: 2026, month: 'DECEMBER', dayOfMonth: 31 })];
    expect(updates).toMatchObject([{ spec: { calendars: expect.any(Array), skip } }]);
  });

  it('is not signed where it leaves out a month that nobody has confirmed', async () => {
    const rhythm = { cron: '0 9 30 * *' };
    const fields = { rhythm, template: 'yyyy-MM' };
    const { schedules, updates } = schedulesOf(await signedPayroll(fields), timesOf(rhythm));
    const words =
      /^cron: "0 9 30 \* \*" in UTC leaves out 20\d\d-02, .* and \d\d more\. Give cron "0 9 L/;
    await expect(schedules.sign('payroll', yes)).rejects.toThrow(words);
    expect(updates).toEqual([]);
    const confirmed = { ...fields, rhythm: { ...rhythm, leavesOut: ['2026-02'] } };
    const other = schedulesOf(await signedPayroll(confirmed), timesOf(rhythm));
    expect(await other.schedules.sign('payroll', yes)).toHaveLength(100);
  });

  it('is not signed if the person says no', async () => {
    const times = timesOf(weekly);
    const { schedules, updates } = schedulesOf(await signedPayroll(), times);
    const shown: string[][] = [];
    const isAgreed = async (periods: readonly { at: string }[]) => {
      shown.push(periods.map(({ at }) => at));
      return false;
    };
    expect(await schedules.sign('payroll', { isAgreed })).toEqual([]);
    expect(shown).toEqual([times.slice(0, 100).map((time) => new Date(time).toISOString())]);
    expect(updates).toEqual([]);
  });

  it('is not signed if another key has signed it before, or nobody', async () => {
    const foreign = schedulesOf(await signedPayroll({}, another), timesOf(weekly));
    await expect(foreign.schedules.sign('payroll', yes)).rejects.toThrow(notBefore);
    const unsigned = { ...(await signedPayroll()), order };
    const fresh = schedulesOf(unsigned, timesOf(weekly));
    const words = 'It was not signed before.';
    await expect(fresh.schedules.sign('payroll', yes)).rejects.toThrow(words);
    expect([foreign.updates, fresh.updates]).toEqual([[], []]);
  });
});

it('a schedule that nobody confirms is not signed', async () => {
  const { schedules, updates } = schedulesOf(await signedPayroll(), timesOf(weekly));
  await expect(schedules.sign('payroll', {})).rejects.toThrow('schedule: is missing.');
  expect(updates).toEqual([]);
});

describe('a schedule that its owner gives again', () => {
  it('is signed, whoever has signed it before', async () => {
    const { schedules, updates } = schedulesOf(await signedPayroll({}, another), timesOf(weekly));
    const periods = await schedules.sign('payroll', { schedule: payroll });
    expect(statementsIn(updates).map((one) => one.periods?.times)).toEqual([
      periods.map(({ at }) => at),
    ]);
    expect(updates).toMatchObject([{ policies: { catchupWindow: 365 * 86_400_000 } }]);
  });

  it.each<[string, Partial<Schedule>]>([
    ['another amount', { order: { ...order, amount: '3' } }],
    ['another cron expression', daily],
    ['another end', { until: '2090-01-01' }],
    ['another period', { period: "yyyy-'W'ww" }],
    ['another time zone', { timeZone: 'Asia/Tokyo' }],
  ])('is not signed where Temporal has %s', async (_, fields) => {
    const { schedules, updates } = schedulesOf(await signedPayroll(), timesOf(weekly));
    const schedule = { ...payroll, ...fields };
    await expect(schedules.sign('payroll', { schedule })).rejects.toThrow(
      'Temporal has another order or other times than you give.',
    );
    expect(updates).toEqual([]);
  });

  it('is given with its end and not with the number of its periods', async () => {
    const until = new Date(timesOf(weekly)[4] ?? 0).toISOString();
    const start = await signedPayroll({ rhythm: { ...weekly, until } });
    const { schedules } = schedulesOf(start, timesOf(start.rhythm));
    const schedule = { ...payroll, runs: 3 };
    await expect(schedules.sign('payroll', { schedule })).rejects.toThrow(
      `runs: was counted when the schedule was created. Give until "${until}" if that is its end.`,
    );
    const again = await schedules.sign('payroll', { schedule: { ...payroll, until } });
    expect(again.at(-1)?.at).toBe(until);
  });
});
