import type { Client } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { type RequestStatement, readRequest } from '../../../src/authority/statement';
import { createSteadfast } from '../../../src/client/client';
import { signOrder } from '../../../src/client/signRequest';
import { signedStatement } from '../../../src/orders/input/signed';
import { periodAt } from '../../../src/orders/schedule/period';
import { type PeriodStart, periodStart } from '../../../src/orders/schedule/schedule';
import { testKeys } from '../../authority/keys';

const { sign } = testKeys()('backend');
const signing = { sign, entity: 'e1', blockchain: 'ARC-TESTNET' };
const order = {
  from: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
  to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
  amount: '2',
  token: 'USDC',
};
const dayMs = 86_400_000;
const template = 'yyyy-MM-dd';

/** Times from tomorrow on, so many days apart. */
const every = (days: number, count = 100): number[] =>
  Array.from({ length: count }, (_, at) => Date.now() + (1 + at * days) * dayMs);

const namesOf = (times: readonly number[]): string[] =>
  times.map((time) => periodAt(template, time, 'UTC'));

/** A client of a Temporal that somebody else controls: it shows this schedule, and these times. */
function forgedSchedule(start: PeriodStart, times: readonly number[]) {
  const updated: PeriodStart[] = [];
  const action = { workflowType: 'startPeriod', args: [start] };
  const handle = {
    describe: async () => ({ scheduleId: 'payroll', action, state: {}, info: {} }),
    update: async (change: (told: object) => { action: { args: unknown[] } }) => {
      updated.push(periodStart.parse(change({ action }).action.args[0]));
    },
  };
  const client = {
    options: { namespace: 'default' },
    schedule: { getHandle: () => handle },
    workflowService: {
      listScheduleMatchingTimes: async () => ({ startTime: times.map((time) => msToTs(time)) }),
    },
  };
  return { client: client as unknown as Client, updated };
}

/** The start of a payroll on every seventh day, as its creator has signed it. */
async function signedPayroll(fields: Partial<PeriodStart> = {}): Promise<PeriodStart> {
  const periods = { template, timeZone: 'UTC', names: namesOf(every(7)) };
  const kind = 'transferStablecoin' as const;
  const start = { scheduleId: 'payroll', idsBegin: 'transfer:payroll', kind, order, ...fields };
  const { client } = forgedSchedule(
    { ...start, template, timeZone: 'UTC', jitterMs: 0, when: '' },
    [],
  );
  const asked = { kind, workflowId: start.idsBegin, order, periods };
  const signed = await signOrder({ client, taskQueue: 'q', signing }, asked);
  return { ...start, order: signed, template, timeZone: 'UTC', jitterMs: 0, when: 'weekly' };
}

const statementIn = ({ order: { request } }: PeriodStart): RequestStatement =>
  readRequest(signedStatement.parse(request).statement);

function schedulesOf(start: PeriodStart, times: readonly number[], keyScope = '') {
  const { client, updated } = forgedSchedule(start, times);
  const steadfast = createSteadfast({ client, taskQueue: 'q', keyScope, signing });
  return { schedules: steadfast.schedules, updated };
}

it('a schedule that Temporal shows as it was is signed for its coming periods', async () => {
  const times = every(7);
  const { schedules, updated } = schedulesOf(await signedPayroll(), times);
  const periods = await schedules.sign('payroll');
  expect(periods.map(({ period }) => period)).toEqual(namesOf(times));
  expect(updated.map((start) => statementIn(start).periods?.names)).toEqual([namesOf(times)]);
});

it.each<[string, Partial<PeriodStart>]>([
  ['the orders of another one', { idsBegin: 'transfer:rent' }],
  ['the periods of another one', { scheduleId: 'rent' }],
  ['orders of another scope', { idsBegin: 'shop:transfer:payroll' }],
])('a schedule that starts %s is not signed', async (_, fields) => {
  const { schedules, updated } = schedulesOf(await signedPayroll(fields), every(7));
  await expect(schedules.sign('payroll')).rejects.toThrow('It starts the orders of another one.');
  expect(updated).toEqual([]);
});

it('a schedule of a key scope is signed for the ids of that scope', async () => {
  const fields = { scheduleId: 'shop:payroll', idsBegin: 'shop:transfer:payroll' };
  const { schedules, updated } = schedulesOf(await signedPayroll(fields), every(7), 'shop');
  await schedules.sign('payroll');
  expect(updated.map((start) => statementIn(start).order)).toEqual(['shop:transfer:payroll']);
});

it('a schedule whose periods come more often than those before is not signed', async () => {
  const { schedules, updated } = schedulesOf(await signedPayroll(), every(1));
  await expect(schedules.sign('payroll')).rejects.toThrow(
    'Temporal names more periods, or denser ones, than were signed before.',
  );
  expect(updated).toEqual([]);
});

it('nothing is signed before its periods are agreed upon', async () => {
  const times = every(7);
  const { schedules, updated } = schedulesOf(await signedPayroll(), times);
  const shown: string[][] = [];
  const isAgreed = async (periods: readonly { period: string }[]) => {
    shown.push(periods.map(({ period }) => period));
    return false;
  };
  expect(await schedules.sign('payroll', isAgreed)).toEqual([]);
  expect(shown).toEqual([namesOf(times)]);
  expect(updated).toEqual([]);
});
