import { ApplicationFailure, Context } from '@temporalio/activity';
import { type OrderKind, orderSchemas } from '../src/orders/kinds';
import { periodAt, spanOf } from '../src/orders/period';
import { BadOrderError, readOrder } from '../src/orders/read';
import { orderOf, type PeriodStart } from '../src/orders/schedule';
import { firstPairs } from '../src/orders/starting';
import type { FailureType } from './attempt';
import { jitterOf } from './jitter';
import { matchingTimes, matchingTimesMax } from './matchingTimes';
import { type StartedOrder, startOnce } from './startOnce';

/** The order of a period, and when it is to start. */
export type Period = {
  period: string;
  /** The time at which the schedule has it, ISO 8601. */
  nominal: string;
  /** The same with jitter, milliseconds since the epoch. */
  startAtMs: number;
  orderId: string;
  kind: OrderKind;
  order: Record<string, unknown>;
};

export function periodActivities({ searchAttributes }: { searchAttributes: boolean }) {
  return {
    /**
     * Finds out which period a time of a schedule stands for, or which time a period has there, and
     * what its order is. What the schedule does not have is left to a person.
     */
    async findPeriod(start: PeriodStart, scheduledAt: string | undefined): Promise<Period> {
      const nominalMs = await nominalOf(start, scheduledAt);
      const { template, timeZone, kind, idsBegin, jitterMs } = start;
      const period = periodAt(template, nominalMs, timeZone);
      const orderId = `${idsBegin}:${period}`;
      return {
        ...{ period, orderId, kind },
        nominal: new Date(nominalMs).toISOString(),
        startAtMs: nominalMs + jitterOf(orderId, jitterMs),
        order: await refusing(() => orderOf(start, period)),
      };
    },

    /** Starts the order of a period, or attaches to it: a period that is done is not done again. */
    async startOrder({ kind, order, orderId: workflowId }: Period): Promise<StartedOrder> {
      const schema: (typeof orderSchemas)[OrderKind] = orderSchemas[kind];
      const read = await refusing(() => readOrder(schema, order));
      const { client, info } = Context.current();
      const attributes = searchAttributes ? { typedSearchAttributes: firstPairs(kind) } : {};
      return refusing(() =>
        startOnce(client, {
          ...{ kind, workflowId, order, read, attributes, taskQueue: info.taskQueue },
        }),
      );
    },
  };
}

async function nominalOf(start: PeriodStart, scheduledAt: string | undefined): Promise<number> {
  const { scheduleId, template, timeZone, period, when } = start;
  if (period !== undefined) {
    let [afterMs, toMs] = spanOf(template, period) ?? [0, 0];
    for (;;) {
      const times = await timesIn(scheduleId, [afterMs, toMs]);
      const found = times.find((atMs) => periodAt(template, atMs, timeZone) === period);
      if (found !== undefined) return found;
      if (times.length < matchingTimesMax) break;
      afterMs = times.at(-1) ?? toMs;
    }
    throw stop('NeedsOperator', `${when} never comes in ${period}, so nothing was started.`);
  }
  const way =
    `Start the period that is meant: npx steadfast schedule trigger ${scheduleId} ` +
    '--period <period>';
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

/** A schedule that is gone cannot say which times it had. */
async function timesIn(
  scheduleId: string,
  span: readonly [fromMs: number, toMs: number],
): Promise<number[]> {
  try {
    return await matchingTimes(Context.current().client, scheduleId, span);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== notFound) throw error;
    throw stop('NeedsOperator', `The schedule ${scheduleId} is gone, so nothing was started.`);
  }
}

/** The code of gRPC. */
const notFound = 5;

/** An order that cannot be carried out ends the start of it. */
async function refusing<T>(attempt: () => T | Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof BadOrderError) throw stop('Refused', error.message);
    throw error;
  }
}

function stop(type: FailureType, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
