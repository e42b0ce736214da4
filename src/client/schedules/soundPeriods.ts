import { usualDays } from '../../orders/input/checkedLines';
import { BadOrderError } from '../../orders/input/read';
import { readOrderOf } from '../../orders/kinds';
import { leftOutFault } from '../../orders/schedule/leftOut';
import { putBacks } from '../../orders/schedule/localTime';
import { endOfTime, timesIn, whenOf } from '../../orders/schedule/rhythm';
import type { PeriodStart, ScheduledKind } from '../../orders/schedule/schedule';
import { refuseAboveMost, signedLinesOf } from '../../writer/signing/signedLines';
import { type ComingPeriod, periodsOf } from './parts';

const distinctMin = 400;
const dayMs = 86_400_000;

/**
 * Throws a BadOrderError unless each coming time of a schedule is a period of its own, and no named
 * period is left out between them.
 */
export function refuseUnsound(start: PeriodStart): void {
  const { rhythm } = start;
  const field = rhythm.cron === undefined ? 'every' : 'cron';
  const found = timesIn(start, [Date.now(), endOfTime], distinctMin + 1);
  const times = found.slice(0, distinctMin);
  if (times.length === 0) {
    const ending = rhythm.cron === undefined ? 'until' : 'cron';
    throw new BadOrderError(`${ending}: ${whenOf(start)} never comes, or not before it ends.`);
  }
  const later = found.length > distinctMin ? repeatedTimes(start) : [];
  refuseRepeated(periodsOf(start, [...new Set([...times, ...later])]), start);
  const fault = leftOutFault(start, times);
  if (fault !== undefined) throw new BadOrderError(`${field}: ${fault}.`);
}

/**
 * Throws a BadOrderError for a strict order whose periods come too soon after each other. The
 * checks would find the payment of the one before.
 */
export function refuseStrict(start: PeriodStart): void {
  if (start.order.strict !== true) return;
  const times = timesIn(start, [Date.now(), endOfTime], distinctMin);
  if (times.every((time, at) => time - (times[at - 1] ?? 0) > usualDays * dayMs)) return;
  throw new BadOrderError(
    `strict: ${whenOf(start)} comes again within ${usualDays} days. A worker with an archive would ` +
      'refuse each period but the first for the payment of the one before. Leave strict out.',
  );
}

/**
 * Throws a BadOrderError for a payout whose lines its own maxTotal or strict forbids. The seal
 * would refuse it on its day, and nobody could correct it under its id.
 */
export function refuseOwnLimits(kind: ScheduledKind, order: Record<string, unknown>): void {
  if (kind !== 'payout') return;
  const read = readOrderOf(kind, order);
  if (!('payoutId' in read) || read.lines === undefined) return;
  refuseAboveMost(read, signedLinesOf(read.lines, read));
}

/**
 * The times of a schedule before and after clocks are put back, within two years. A schedule of
 * many times reaches none of these among its first.
 */
function repeatedTimes(start: PeriodStart): number[] {
  return putBacks(Date.now(), start.timeZone).flatMap(({ atMs, byMs }) =>
    timesIn(start, [atMs - byMs - 1_000, atMs + byMs - 1_000], Number.POSITIVE_INFINITY),
  );
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
