import type { DescribedSchedule } from '../../client/schedules/description';
import type { Overridden } from '../../client/schedules/overrides/override';
import type { ComingPeriod } from '../../client/schedules/parts';
import type { ListedSchedule } from '../../client/schedules/schedules';
import { counted } from '../../orders/progress/doing';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { tellDuration, tellMoment } from '../show/tellTime';
import { visible } from '../show/visible';

/** Periods as lines, each with its time in the schedule's time zone. */
export function tellPeriods(periods: readonly ComingPeriod[], timeZone = 'UTC'): string[] {
  const clock = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const width = Math.max(0, ...periods.map(({ period }) => period.length));
  return periods.map(
    ({ period, at }) => `  ${period.padEnd(width)}  ${clock.format(new Date(at))} ${timeZone}`,
  );
}

/** Their number, with the first and the last of them. */
export function tellSpan(periods: readonly ComingPeriod[], whose = ''): string {
  const [first, last] = [periods[0]?.period, periods.at(-1)?.period];
  const count = `${counted(periods.length, 'period')}${whose}`;
  return periods.length === 1 ? `${count}, ${first}` : `${count}, ${first} to ${last}`;
}

/** Schedules as lines of a table. */
export function tellSchedules(schedules: readonly ListedSchedule[]): string[] {
  if (schedules.length === 0) return ['No schedules.'];
  const rows = schedules.map((schedule) => {
    const { id, kind, when, paused, next, signed, overrides, unread } = schedule;
    if (unread !== undefined) return [id, '', '', `cannot be read here: ${visible(unread)}`];
    return [
      id,
      kind,
      when,
      paused === undefined ? tellNext(next) : pc.yellow(`paused: ${paused}`),
      ...(signed?.isEnding ? tellSigned(id, signed) : []),
      ...(overrides === undefined ? [] : [`overridden: ${overrides.join(', ')}`]),
    ];
  });
  return inColumns(rows).map((cells) => cells.join('  ').trimEnd());
}

function tellNext(next: ComingPeriod | undefined): string {
  return next === undefined ? 'has ended' : `${next.period} at ${tellMoment(next.at)}`;
}

/** A schedule as lines: its order, its times, its policies and its results. */
export function tellSchedule(described: DescribedSchedule): string[] {
  const { id, kind, when, template, paused, next, timeZone, orders, troubles, signed, overrides } =
    described;
  return [
    `${pc.bold(id)} ${pc.dim('·')} ${kind} ${pc.dim('·')} ${when} ${pc.dim('·')} ${template}`,
    ...(paused === undefined
      ? []
      : [
          pc.yellow(
            `Paused: ${paused}. It goes on with: npx --no-install steadfast schedule resume ${id}`,
          ),
        ]),
    ...(described.order === '' ? [] : [`Order: ${described.order}`]),
    ...tellSigned(id, signed),
    ...tellHolidays(described.holidays),
    ...tellPolicies(described),
    next.length === 0 ? 'It starts nothing more.' : 'Next:',
    ...tellPeriods(next, timeZone),
    ...(overrides.length === 0 ? [] : ['Overridden:']),
    ...overrides.map(({ period, order }) => `  ${period}  ${order ?? 'left out'}`),
    ...(orders.length === 0 ? ['No orders yet.'] : ['Its last orders:']),
    ...orders.map(({ period, status, workflowId }) => `  ${period}  ${status}  ${workflowId}`),
    ...troubles.map(({ workflowId, why }) => pc.red(`Not started (${workflowId}): ${why}`)),
  ];
}

/** The holidays of a schedule as lines. */
function tellHolidays(holidays: DescribedSchedule['holidays']): string[] {
  if (holidays === undefined) return [];
  const { calendar, count, first, last, isShort } = holidays;
  const from = calendar === undefined ? '' : ` of ${calendar}`;
  const words = `Holidays: ${count}${from}, ${first} to ${last}.`;
  if (!isShort) return [words];
  const year = Number(last.slice(0, 4)) + 1;
  const way = 'Delete it before that, and create it again with the next ones.';
  return [pc.yellow(`${words} From ${year} on it knows none. ${way}`)];
}

/** An override as lines: what the period does instead, and when. */
export function tellOverridden(id: string, overridden: Overridden): string[] {
  const { period, at, order, usual, words } = overridden;
  const isOver = Date.parse(at) <= Date.now();
  const start = `npx --no-install steadfast schedule trigger ${id} --period ${period}`;
  return [
    `${period} of ${id} is overridden.`,
    `  usual:   ${usual}`,
    `  instead: ${order ?? 'nothing'}`,
    ...(order === undefined ? [] : [isOver ? `Start it with: ${start}` : `It starts at ${at}.`]),
    ...(words === '' ? [] : [words]),
  ];
}

function tellSigned(id: string, signed: DescribedSchedule['signed']): string[] {
  if (signed === undefined) return [];
  const words = `Signed: ${counted(signed.left, 'coming period')}, to ${signed.last}.`;
  if (!signed.isEnding) return [words];
  return [
    pc.yellow(`${words} Sign the next ones with: npx --no-install steadfast schedule sign ${id}`),
  ];
}

function tellPolicies(described: DescribedSchedule): string[] {
  const { catchUpMs, missed, jitterMs, until, runsLeft } = described;
  return [
    'Overlap: a period starts also while an earlier one is under way. Each is an order of its own, ' +
      'and one that waits must not hold back the next.',
    `Catch-up: a period that was missed while Temporal was away is started up to ` +
      `${tellDuration(catchUpMs)} late; ${missed === 0 ? 'none was' : `${missed} were`} missed for ` +
      'longer. Periods during a pause are skipped.',
    ...(jitterMs === 0 ? [] : [`Jitter: each start is up to ${tellDuration(jitterMs)} later.`]),
    ...(until === undefined ? [] : [`Until: ${tellMoment(until)}.`]),
    ...(runsLeft === undefined ? [] : [`Left: ${counted(runsLeft, 'period')}.`]),
  ];
}
