import { ScheduleAlreadyRunning, type ScheduleSpec } from '@temporalio/client';
import { refuseTellingId } from '../../orders/input/orderId';
import { BadOrderError } from '../../orders/input/read';
import { dayIn, putBacks, skippedAmong } from '../../orders/schedule/localTime';
import type { PeriodStart, ReadSchedule } from '../../orders/schedule/schedule';
import { firstPairs } from '../../orders/starting';
import { endOfTime, matchingTimes } from '../../temporal/matchingTimes';
import { hasSearchAttributes } from '../../temporal/searchAttributes';
import { type ComingPeriod, idsBeginOf, type Named, periodsOf } from './parts';
import { signedStart } from './signSchedule';

const checking = 'Its periods are being checked.';
/** The check takes a second. After this time, the process that began it is gone. */
const checkingMaxMs = 60_000;
const distinctMin = 400;
const dayMs = 86_400_000;

/**
 * Creates a paused schedule and lets Temporal compute its times. Unpauses it only when each time is
 * a period of its own. Returns the first periods from then on. A time that passes during the
 * creation starts nothing.
 */
export async function createSchedule(place: Named, read: ReadSchedule): Promise<ComingPeriod[]> {
  if (place.isPrivate === true) refuseTellingId(place.id);
  const start = startOf(place, read);
  await make(place, read, start);
  try {
    const coming = await soundPeriods(place, start, read);
    // Only a sound schedule is signed, for no more than it will start.
    await begin(place, await signedStart(place, start, coming.slice(0, read.runs)));
    return await firstPeriods(place, start, { read, coming });
  } catch (error) {
    await place.handle.delete();
    throw error;
  }
}

/**
 * The first periods of a schedule that now runs. One that passed during its creation is not counted
 * as a run. A schedule with so many runs is then signed again, for the ones that it will start.
 */
async function firstPeriods(
  place: Named,
  start: PeriodStart,
  { read: { runs }, coming }: { read: ReadSchedule; coming: readonly ComingPeriod[] },
): Promise<ComingPeriod[]> {
  const { client, scheduleId, handle, signing } = place;
  const { info, state } = await handle.describe();
  const next = periodsOf(start, info.nextActionTimes.slice(0, Math.min(runs ?? 5, 5)));
  const hasPassed = next[0] !== undefined && next[0].period !== coming[0]?.period;
  if (signing !== undefined && hasPassed && runs !== undefined && state.remainingActions === runs) {
    const times = await matchingTimes(client, scheduleId, [Date.now(), endOfTime]);
    await begin(place, await signedStart(place, start, periodsOf(start, times.slice(0, runs))));
  }
  return next;
}

/**
 * Lets a schedule start its periods. One update signs and unpauses it. An update carries the whole
 * schedule, so one that had read it before it was unpaused would pause it again.
 */
async function begin({ handle }: Named, start: PeriodStart): Promise<void> {
  await handle.update(({ action, state, ...others }) => ({
    ...others,
    action: { ...action, args: [start] },
    state: { ...state, paused: false, note: 'Created.' },
  }));
}

function startOf(place: Named, read: ReadSchedule): PeriodStart {
  const { scheduleId } = place;
  const { kind, order, period: template, timeZone, jitter: jitterMs = 0, cron, every } = read;
  const when = cron === undefined ? `every ${spanInWords(every ?? 0)}` : `"${cron}" in ${timeZone}`;
  const idsBegin = idsBeginOf(place, kind);
  return { scheduleId, kind, order, idsBegin, template, timeZone, jitterMs, when };
}

function spanInWords(spanMs: number): string {
  const units = [
    [dayMs, 'd'],
    [3_600_000, 'h'],
    [60_000, 'm'],
  ] as const;
  const [unitMs, unit] = units.find(([size]) => spanMs % size === 0) ?? [1_000, 's'];
  return `${spanMs / unitMs}${unit}`;
}

async function make(place: Named, read: ReadSchedule, start: PeriodStart): Promise<void> {
  const { client, scheduleId, taskQueue } = place;
  const isFiltered = await hasSearchAttributes(client.connection, client.options.namespace);
  const create = () =>
    client.schedule.create({
      scheduleId,
      spec: specOf(read),
      action: {
        type: 'startWorkflow',
        workflowType: 'startPeriod',
        taskQueue,
        args: [start],
        workflowId: `schedule:${scheduleId}`,
        staticSummary: `a period of ${scheduleId}`,
        ...(isFiltered ? { typedSearchAttributes: firstPairs('startPeriod') } : {}),
      },
      // Said in full: the documents of Temporal's parts name different defaults.
      policies: { overlap: 'ALLOW_ALL', catchupWindow: read.catchUp, pauseOnFailure: false },
      state: {
        paused: true,
        note: checking,
        ...(read.runs === undefined ? {} : { remainingActions: read.runs }),
      },
    });
  try {
    await create();
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) await clearUnfinished(place);
    else throw inWords(error);
    await create();
  }
}

/** Deletes a schedule whose creator was killed during the check. It has never started anything. */
async function clearUnfinished({ id, scheduleId, handle }: Named): Promise<void> {
  const { state, info } = await handle.describe();
  const isLeft = Date.now() - info.createdAt.getTime() > checkingMaxMs;
  if (state.paused && state.note === checking && isLeft) return handle.delete();
  throw new BadOrderError(
    `id: the schedule "${scheduleId}" is there already. Look at it with "steadfast schedule ` +
      `describe ${id}", or delete it first.`,
  );
}

/** Turns a TypeError, with which Temporal's client refuses a schedule, into a BadOrderError. */
function inWords(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new BadOrderError(`The schedule cannot be created: ${error.message.replace(/\.$/, '')}.`);
}

function specOf({ cron, every, offset, timeZone, until }: ReadSchedule): ScheduleSpec {
  return {
    ...(cron === undefined ? {} : { cronExpressions: [cron] }),
    ...(every === undefined ? {} : { intervals: [{ every, offset: offset ?? 0 }] }),
    ...(until === undefined ? {} : { endAt: new Date(endOf(until, timeZone)) }),
    timezone: timeZone,
  };
}

/** A day counts to its end. */
function endOf(until: string, timeZone: string): number {
  return until.includes('T') ? Date.parse(until) : dayIn(timeZone, until)[1];
}

/** The coming periods of a schedule. Throws a BadOrderError unless each time is one of its own. */
async function soundPeriods(
  place: Named,
  start: PeriodStart,
  { cron, runs }: ReadSchedule,
): Promise<ComingPeriod[]> {
  const { client, scheduleId } = place;
  const { when, timeZone } = start;
  const all = await matchingTimes(client, scheduleId, [Date.now(), endOfTime]);
  const times = all.slice(0, distinctMin);
  if (times.length === 0) {
    const field = cron === undefined ? 'until' : 'cron';
    throw new BadOrderError(`${field}: ${when} never comes, or not before it ends.`);
  }
  const coming = periodsOf(start, times);
  const due = all.slice(0, runs);
  const lastMs = due.length === runs ? (due.at(-1) ?? 0) : Number.POSITIVE_INFINITY;
  const later = due.length > distinctMin ? await repeatedTimes(place, start) : [];
  const checked = [...times, ...later.filter((time) => time <= lastMs)];
  refuseRepeated(periodsOf(start, [...new Set(checked)]), start);
  // Spans are counted in UTC, which skips nothing.
  const skipped = cron === undefined ? undefined : skippedAmong(times, timeZone);
  if (skipped === undefined) return coming;
  const { time, day } = skipped;
  throw new BadOrderError(
    `cron: on ${day} the clocks skip ${time} in ${timeZone}, and Temporal leaves out what is due ` +
      'then. Give a time of day that they never skip, or UTC.',
  );
}

/**
 * The times of a schedule before and after clocks are put back, within two years. A schedule of
 * many times reaches none of these among its first.
 */
async function repeatedTimes(
  { client, scheduleId }: Named,
  { timeZone }: PeriodStart,
): Promise<number[]> {
  const times: number[] = [];
  for (const { atMs, byMs } of putBacks(Date.now(), timeZone)) {
    // Temporal tells a thousand times of each list, so both lists begin alike.
    for (const fromMs of [atMs - byMs, atMs]) {
      const span = [fromMs - 1_000, fromMs + byMs - 1_000] as const;
      times.push(...(await matchingTimes(client, scheduleId, span)));
    }
  }
  return times;
}

function refuseRepeated(periods: readonly ComingPeriod[], { template }: PeriodStart): void {
  const seen = new Map<string, string>();
  for (const { period, at } of periods) {
    const earlier = seen.get(period);
    if (earlier !== undefined) {
      throw new BadOrderError(
        `period: ${template} makes one period, ${period}, of ${earlier} and ${at}, so only the ` +
          'first would be paid. Give a finer template, times that the clocks do not repeat, or UTC.',
      );
    }
    seen.set(period, at);
  }
}
