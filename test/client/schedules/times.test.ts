import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { specOf } from '../../../src/client/schedules/ownSchedule';
import { matchingTimes } from '../../../src/client/temporal/matchingTimes';
import { clockChanges, putBacks } from '../../../src/orders/schedule/localTime';
import { endOfTime, inSeconds, type Timed, timesIn } from '../../../src/orders/schedule/rhythm';
import { times } from '../../support/lane';
import { seeded } from '../../support/seeded';
import { temporalAddress } from '../../support/temporal';

let client: Client;
beforeAll(async () => {
  client = new Client({ connection: await Connection.connect({ address: temporalAddress() }) });
});
afterAll(() => client.connection.close());

const comparedMax = 1_000;
const hourMs = 3_600_000;
/** The clock changes of so long are known. */
const comparedMs = 2 * 365 * 24 * hourMs;

/** The times of a rhythm in a span, as Temporal's own code computes them. */
async function temporals(timed: Timed, span: [number, number]): Promise<number[]> {
  const spec = specOf(timed);
  const scheduleId = `times-${randomUUID()}`;
  const action = { type: 'startWorkflow', workflowType: 'nobody', taskQueue: 'nobody' } as const;
  const state = { paused: true };
  const handle = await client.schedule.create({ scheduleId, spec, action, state });
  try {
    return await matchingTimes(client, scheduleId, span);
  } finally {
    await handle.delete();
  }
}

/**
 * Compares the times of two years, a thousand at most. Times of the hours in which clocks are
 * put back are left out: there Temporal names other times than a calendar does.
 */
async function expectSame(timed: Timed, afterMs: number): Promise<void> {
  const span: [number, number] = [afterMs, afterMs + comparedMs];
  const ours = timesIn(timed, span, comparedMax);
  const theirs = await temporals(timed, span);
  const isCut = ours.length === comparedMax || theirs.length === comparedMax;
  const lastMs = isCut ? Math.min(ours.at(-1) ?? 0, theirs.at(-1) ?? 0) : span[1];
  const changes = putBacks(afterMs, timed.timeZone).map(({ atMs }) => atMs);
  const isCompared = (time: number): boolean =>
    time <= lastMs && changes.every((atMs) => Math.abs(time - atMs) > 2 * hourMs);
  const inWords = (moments: readonly number[]): string[] =>
    moments.filter(isCompared).map((time) => new Date(time).toISOString());
  expect({ timed, times: inWords(ours) }).toEqual({ timed, times: inWords(theirs) });
}

/** Zones with clock changes in either half of the year, of half an hour, and with none. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Apia',
  'America/St_Johns',
  'Africa/Cairo',
];

const months = ['jan', 'MARCH', 'oct', 'nov'];
const weekdays = ['mon', 'TU', 'wednesday', 'fri', 'sun'];

/** A rhythm out of all the forms that a schedule accepts. */
function rhythmOf(pick: (bound: number) => number): Timed['rhythm'] {
  const one = (of: readonly string[]): string => of[pick(of.length)] ?? '';
  const field = (first: number, last: number, more: readonly string[] = []): string => {
    const number = () => first + pick(last - first + 1);
    const [from, to] = [number(), number()].sort((a, b) => a - b);
    const step = 1 + pick(9);
    const forms = ['*', '*', `${from}`, `${from}-${to}`, `*/${step}`, `${from}-${to}/${step}`];
    return one([...forms, `${from}/${step}`, `${from},${to}`, ...more]);
  };
  if (pick(5) === 0) {
    const span = 1 + pick(100_000);
    return { every: inSeconds(span * 1_000), offset: inSeconds(pick(span) * 1_000) };
  }
  if (pick(8) === 0) return { cron: one(['@yearly', '@monthly', '@weekly', '@daily', '@hourly']) };
  const cron = [
    field(0, 59),
    field(0, 23),
    field(1, 31, ['L', 'LW', '15,L', '1-7,LW', 'LW,L']),
    field(1, 12, [...months, 'feb-apr', 'jan,jul']),
    field(0, 7, [...weekdays, 'mon-fri', 'sat,sun']),
  ].join(' ');
  const isWorking = pick(8) === 0;
  if (isWorking) {
    const holidays = Array.from({ length: 1 + pick(40) }, () => {
      const day = Date.UTC(2026, pick(48), 22 + pick(10));
      return new Date(day).toISOString().slice(0, 10);
    });
    const fields = [field(0, 59), field(0, 23), 'LW', field(1, 12), field(0, 7, ['mon-fri'])];
    return { cron: fields.join(' '), holidays };
  }
  const until = pick(4) === 0 ? { until: new Date(Date.UTC(2027, pick(12), 9)).toISOString() } : {};
  return { cron, ...until };
}

/** Temporal leaves Sunday out of "1-7" and of "1/1", which is a fault of its own. */
const isTheirFault = ({ cron = '' }: Timed['rhythm']): boolean => /(1-7|1\/1|1-7\/1)$/.test(cron);

it('the times of any rhythm are those that Temporal computes', async () => {
  const seed = Date.now() % 1_000_000;
  const pick = seeded(seed);
  let compared = 0;
  for (let at = 0; at < times({ short: 60, all: 600 }); at += 1) {
    const rhythm = rhythmOf(pick);
    const timed = { rhythm, timeZone: zones[pick(zones.length)] ?? 'UTC' };
    const afterMs =
      Date.UTC(2026, pick(24), 1 + pick(28), pick(24), pick(60), pick(60)) + pick(999);
    if (isTheirFault(rhythm)) continue;
    await expectSame(timed, afterMs);
    compared += 1;
  }
  expect({ seed, compared }).toEqual({ seed, compared: expect.any(Number) });
  expect(compared).toBeGreaterThan(40);
});

it.each<[string, string[] | undefined]>([
  ['0 9 L * *', undefined],
  ['0 9 LW * *', undefined],
  ['0 9 15,L 2 *', undefined],
  ['0 9 L * 1-5', undefined],
  ['0 9 LW 12 *', ['2026-12-31', '2027-12-31', '2027-12-30', '2028-12-29']],
])('Temporal has the times of %s without %j up to its last year', async (cron, holidays) => {
  const rhythm = { cron, ...(holidays === undefined ? {} : { holidays }) };
  const timed = { rhythm, timeZone: 'Asia/Kolkata' };
  const span: [number, number] = [Date.UTC(2026, 10), endOfTime];
  const theirs = await temporals(timed, span);
  expect(theirs.length).toBeGreaterThan(70);
  expect(timesIn(timed, span, comparedMax)).toEqual(theirs);
});

it.each<[string, string, string, string[]]>([
  ['30 2 * * *', 'Europe/Berlin', '2027-03-27', ['27T01:30', '28T01:00', '29T00:30']],
  ['0,30 2,3 * * *', 'Europe/Berlin', '2027-03-28', ['28T01:00', '28T01:30', '29T00:00']],
  ['59 2 * * *', 'America/New_York', '2027-03-13', ['13T07:59', '14T07:00', '15T06:59']],
  ['0 0 * * *', 'America/Santiago', '2027-09-04', ['04T04:00', '05T04:00', '06T03:00']],
  ['0 9 * * 0', 'America/Santiago', '2027-08-29', ['29T13:00', '05T12:00', '12T12:00']],
  ['0 9 * * 6', 'America/Santiago', '2027-08-28', ['28T13:00', '04T13:00', '11T12:00']],
])(
  'what clocks skip comes at the first moment after, also in Temporal: %s in %s',
  async (...row) => {
    const [cron, timeZone, first, expected] = row;
    const timed = { rhythm: { cron }, timeZone };
    const afterMs = Date.parse(`${first}T00:00:00Z`) - 1_000;
    const span: [number, number] = [afterMs, afterMs + comparedMs];
    const told = (all: readonly number[]) =>
      all.slice(0, expected.length).map((time) => new Date(time).toISOString().slice(8, 16));
    expect(told(timesIn(timed, span, comparedMax))).toEqual(expected);
    expect(told(await temporals(timed, span))).toEqual(expected);
    await expectSame(timed, afterMs);
  },
);

it('the times around each change of clocks are those of Temporal, in any zone and year', async () => {
  const pick = seeded(Date.now() % 1_000_000);
  const all = Intl.supportedValuesOf('timeZone').filter((zone) => !isHalfHour(zone));
  const [hours, days] = [
    ['0', '0-3', '1', '2', '3', '*', '23', '22-23'],
    ['* * *', '* * *', 'L * *', 'LW * *', '* * 5', '* * 0', '* * 1-5', '* * 6', '8-14 * 0'],
  ];
  for (let at = 0; at < times({ short: 60, all: 600 }); at += 1) {
    const one = (of: readonly string[]): string => of[pick(of.length)] ?? '';
    const cron = `${one(['0', '30', '59', '0,30', '*/15'])} ${one(hours)} ${one(days)}`;
    const timeZone = one(all);
    const atMs = Date.UTC(2026 + pick(60), pick(12), 1 + pick(28));
    const changes = clockChanges([atMs, atMs + 400 * 24 * hourMs], timeZone);
    const { atMs: changedMs } = changes.find(({ byMs }) => byMs > 0) ?? { atMs };
    await expectSame({ rhythm: { cron }, timeZone }, changedMs - (24 + pick(48)) * hourMs);
  }
});

/** There Temporal takes a time of the skipped half hour for one of the next. Such a one is refused. */
const isHalfHour = (zone: string): boolean => /Lord_Howe|LHI/.test(zone);
