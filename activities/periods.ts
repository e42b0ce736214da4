import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client';
import { matchingTimes, matchingTimesMax } from '../src/client/temporal/matchingTimes';
import { type StartedPeriod, startOnce, startOverride } from '../src/client/temporal/startOnce';
import { readOrderOf } from '../src/orders/kinds';
import { closeKind, dayBefore } from '../src/orders/schedule/dailyClose';
import { periodAt, spanOf } from '../src/orders/schedule/period';
import { whenOf } from '../src/orders/schedule/rhythm';
import { isSameStart, orderOfPeriod, type PeriodStart } from '../src/orders/schedule/schedule';
import { firstPairs } from '../src/orders/starting';
import { type CloseSettings, startDay } from './chain/closes';
import { refusing, stop } from './failure';

/** A period, and when its order starts. */
type Period = {
  period: string;
  /** The schedule's own time for it, ISO 8601. */
  nominal: string;
  /** The same time with jitter, in milliseconds since the epoch. */
  startAtMs: number;
  /** The start of a daily close's id, which the closing block follows. */
  orderId: string;
};

/** The start of a period's order, without the period. */
type Begun = Omit<StartedPeriod, 'period' | 'nominal'>;

export function periodActivities(settings: CloseSettings) {
  const { searchAttributes } = settings;
  return {
    /**
     * Finds the period that a time of a schedule stands for, or the time of a period. If the
     * schedule lacks that period, a person decides.
     */
    async findPeriod(start: PeriodStart, scheduledAt: string | undefined): Promise<Period> {
      await ownSchedule(start);
      const nominalMs = await nominalOf(start, scheduledAt);
      const { template, timeZone, kind, idsBegin, jitterMs } = start;
      const period = periodAt(template, nominalMs, timeZone);
      const orderId = `${idsBegin}:${kind === closeKind ? dayBefore(nominalMs, timeZone) : period}`;
      return {
        period,
        orderId,
        nominal: new Date(nominalMs).toISOString(),
        startAtMs: nominalMs + jitterOf(orderId, jitterMs),
      };
    },

    /**
     * Starts the order of a period, or attaches to it. A period that is done is not done again. If
     * a person has overridden it, that order counts, or none. A daily close is started once the
     * chain has passed its day. While its schedule is paused, only a period that a person names is
     * started.
     */
    async startOrder(start: PeriodStart, found: Period): Promise<Begun> {
      const { kind, timeZone } = start;
      const { period, nominal, orderId: workflowId } = found;
      const { state } = await ownSchedule(start);
      if (state.paused && start.period === undefined) throw paused(start, period);
      const order = await refusing(() => orderOfPeriod(start, period));
      if (kind === closeKind) {
        const day = dayBefore(Date.parse(nominal), timeZone);
        return startDay({ order: { ...order, day, timeZone }, orderId: workflowId }, settings);
      }
      const read = await refusing(() => readOrderOf(kind, order));
      const { client, info } = Context.current();
      const attributes = searchAttributes ? { typedSearchAttributes: firstPairs(kind) } : {};
      const starting = { kind, workflowId, attributes, taskQueue: info.taskQueue };
      const overridden = () => startOverride(client, starting);
      return refusing(async () => {
        const early = await overridden();
        if (early !== undefined) return early;
        return startOnce(client, { ...starting, order, read }).catch(async (error: unknown) => {
          // Somebody may have overridden it at this very moment.
          const late = await overridden();
          if (late === undefined) throw error;
          return late;
        });
      });
    },
  };
}

/**
 * Describes the schedule that a period belongs to. Another one may have its id by now: somebody
 * deleted a wrong schedule, and created it again.
 */
async function ownSchedule(start: PeriodStart): Promise<ScheduleDescription> {
  const { scheduleId } = start;
  const told = await ofSchedule(scheduleId, () =>
    Context.current().client.schedule.getHandle(scheduleId).describe(),
  );
  if (isSameStart(start, told.action.args?.[0])) return told;
  const why = `The schedule ${scheduleId} now starts other orders, so this one was not started.`;
  throw stop('NeedsOperator', `${why} ${meant(scheduleId)}`);
}

function paused({ scheduleId }: PeriodStart, period: string): Error {
  return stop(
    'NeedsOperator',
    `The schedule ${scheduleId} is paused, so ${period} was not started. To start it all the same: ` +
      `npx --no-install steadfast schedule trigger ${scheduleId} --period ${period}`,
  );
}

/** The way out where a period is not known. */
function meant(scheduleId: string): string {
  const command = `npx --no-install steadfast schedule trigger ${scheduleId} --period <period>`;
  return `Start the period that is meant: ${command}`;
}

async function nominalOf(start: PeriodStart, scheduledAt: string | undefined): Promise<number> {
  const { scheduleId, template, timeZone, period } = start;
  const when = whenOf(start);
  if (period !== undefined) {
    let [afterMs, toMs] = spanOf(template, period) ?? [0, 0];
    for (;;) {
      const times = await timesIn(scheduleId, [afterMs, toMs]);
      const found = times.find((atMs) => periodAt(template, atMs, timeZone) === period);
      if (found !== undefined) return begun(period, found);
      if (times.length < matchingTimesMax) break;
      afterMs = times.at(-1) ?? toMs;
    }
    throw stop('NeedsOperator', `${when} never comes in ${period}, so nothing was started.`);
  }
  const way = meant(scheduleId);
  if (scheduledAt === undefined) {
    throw stop('NeedsOperator', `This was not started by a schedule, and names no period. ${way}`);
  }
  const atMs = Date.parse(scheduledAt);
  // The list begins after its first moment, and times are whole seconds.
  const [found] = await timesIn(scheduleId, [atMs - 1_000, atMs]);
  if (found === atMs) return atMs;
  const why = `${scheduledAt} is no time of ${when}, so nothing was started.`;
  throw stop('NeedsOperator', `${why} ${way}`);
}

/** Nobody pays a period before its time by naming it. */
function begun(period: string, nominalMs: number): number {
  if (nominalMs <= Date.now()) return nominalMs;
  const time = new Date(nominalMs).toISOString();
  const why = `${period} begins at ${time}, so nothing was started.`;
  throw stop('NeedsOperator', `${why} Its schedule starts it then.`);
}

/** Lists times of a schedule. A deleted schedule cannot say which times it had. */
async function timesIn(
  scheduleId: string,
  span: readonly [fromMs: number, toMs: number],
): Promise<number[]> {
  return ofSchedule(scheduleId, () => matchingTimes(Context.current().client, scheduleId, span));
}

/** Asks for a schedule. Without it, nothing is started. */
async function ofSchedule<T>(scheduleId: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isGone =
      error instanceof ScheduleNotFoundError ||
      (error instanceof Error && 'code' in error && error.code === notFound);
    if (!isGone) throw error;
    throw stop('NeedsOperator', `The schedule ${scheduleId} is gone, so nothing was started.`);
  }
}

/** gRPC's code NOT_FOUND. */
const notFound = 5;

/** Delay before an order starts: at most `jitterMs`, and always the same for one id. */
export function jitterOf(orderId: string, jitterMs: number): number {
  const draw = createHash('sha256').update(orderId).digest().readUInt32BE();
  return Math.floor((draw / 2 ** 32) * jitterMs);
}
