import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';
import { BadOrderError, readOrder } from '../input/read';
import { orderKinds, readOrderOf } from '../kinds';
import { payoutIdMax } from '../payout';
import { cronFields, readCron } from './cron';
import { closeKind, readCloseOrder } from './dailyClose';
import { timeZone } from './localTime';
import { monthly, periodAt, spanOf, templateFault } from './period';
import { rhythm } from './rhythm';

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A span of time such as "90s", "10m", "2h" or "30d". Becomes milliseconds. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, { error: 'is not a duration: give 90s, 10m, 2h or 30d' })
  .transform((text) => Number.parseInt(text, 10) * (unitsMs[text.slice(-1)] ?? 0));

const cron = z
  .string()
  .regex(/^(@(yearly|monthly|weekly|daily|hourly)|[^\s=@#]+( [^\s=@#]+){4})$/, {
    error:
      'is not a cron expression: give minute, hour, day of month, month and day of week, ' +
      'such as "0 9 1 * *", or @monthly',
    abort: true,
  })
  .superRefine((text, context) => {
    const read = readCron(text);
    if (!('fault' in read)) return;
    context.addIssue({ code: 'custom', message: `is not a cron expression: ${read.fault}` });
  });

const period = z.string().transform((text, context) => {
  const message = templateFault(text);
  if (message === undefined) return text;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const until = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be a day such as 2026-12-31, or a moment such as "2026-12-31T12:00:00Z"',
});

const holidaysMax = 400;
const holidays = z
  .array(z.iso.date({ error: 'must be a day such as 2026-12-24' }))
  .min(1)
  .max(holidaysMax)
  .transform((days) => [...new Set(days)].sort());

const namesMax = 100;
const leavesOut = z.array(z.string()).min(1).max(namesMax);

/** A schedule starts orders of any kind, or daily closes. */
const scheduledKinds = [...orderKinds, closeKind] as const;
export type ScheduledKind = (typeof scheduledKinds)[number];

const kind = z.literal([...scheduledKinds], {
  error: `must be one of ${scheduledKinds.join(', ')}`,
});

/** A schedule: its times, its periods, and its order. */
const schedule = z
  .strictObject({
    kind,
    order: z
      .record(z.string(), z.unknown())
      .describe('As its schema has it; "{period}" in its texts becomes the period.'),
    cron: cron.optional().describe('Minute, hour, day of month, month, day of week.'),
    every: duration.optional().describe('Instead of cron: a span, counted from 1970 in UTC.'),
    offset: duration.optional().describe('With every: how much later each time.'),
    holidays: holidays
      .optional()
      .describe('With LW in cron: days that are no working days, such as 2026-12-24.'),
    calendar: z
      .string()
      .max(200)
      .optional()
      .describe('With holidays: the name of the calendar that they are from.'),
    timeZone: timeZone.default('UTC'),
    period: period.describe("How a period is named, such as yyyy-MM or yyyy-'W'ww."),
    leavesOut: leavesOut
      .optional()
      .describe('Names of periods that have no time, which confirms that they are left out.'),
    jitter: duration.optional().describe('Each start is up to this much later.'),
    until: until.optional().describe('The last day, or moment, on which a period may start.'),
    runs: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('The number of its periods, counted from its creation.'),
    catchUp: duration.prefault('365d').describe('How late a period that was missed may start.'),
  })
  .superRefine(
    ({ cron, every, offset = 0, holidays, calendar, leavesOut = [], period }, context) => {
      const fail = (field: string, message: string): void => {
        context.addIssue({ code: 'custom', path: [field], message });
      };
      if (cron === undefined && every === undefined) fail('cron', 'must be given, or every');
      if (cron !== undefined && every !== undefined) fail('every', 'has no place beside cron');
      if (offset > 0 && offset >= (every ?? 0))
        fail('offset', 'must be shorter than every, which it needs');
      const dayOfMonth = cronFields(cron ?? '')[2]?.toUpperCase();
      if (holidays !== undefined && dayOfMonth !== 'LW')
        fail('holidays', 'need LW as the day of month, such as cron "0 9 LW * *"');
      if (calendar !== undefined && holidays === undefined) fail('calendar', 'needs holidays');
      const misnamed = leavesOut.find((name) => !isName(name, period));
      if (misnamed !== undefined) fail('leavesOut', `is not of the form ${period}: "${misnamed}"`);
    },
  );
/** The name of a period, or of a month, whatever the periods are. */
function isName(name: string, template: string): boolean {
  return [template, monthly].some((form) => spanOf(form, name) !== undefined);
}

export type Schedule = z.input<typeof schedule>;
export type ReadSchedule = z.output<typeof schedule>;

/** Checks a schedule and the order in it. Returns it normalised or throws a BadOrderError. */
export function readSchedule(id: string, given: unknown): ReadSchedule {
  const read = readOrder(schedule, given);
  const { kind, order, period, timeZone } = read;
  const sample = periodAt(period, Date.UTC(2026, 0, 15), timeZone);
  const payoutId = payoutIdOf(id, sample);
  if (kind === 'payout' && payoutId.length > payoutIdMax) {
    throw new BadOrderError(
      `id: a period of "${id}" would have the payoutId "${payoutId}", of which ${payoutIdMax} ` +
        'characters are the most. Give the schedule a shorter id.',
    );
  }
  if (kind === closeKind) refuseCoarse(period);
  orderOfPeriod({ scheduleId: id, kind, order }, sample);
  return read;
}

/** A close is of one day, so a period of a month would close a day of it alone. */
function refuseCoarse(period: string): void {
  if (/yyyy-MM-dd/.test(period)) return;
  throw new BadOrderError('period: must be yyyy-MM-dd for a daily close, which is of one day.');
}

/** Checks a schedule that is handed on as it was given. */
export function checkSchedule(id: string, given: unknown): asserts given is Schedule {
  readSchedule(id, given);
}

/** Input of the small workflow of one period. A schedule keeps it too. */
export const periodStart = z.object({
  scheduleId: z.string(),
  kind,
  order: z.record(z.string(), z.unknown()),
  /** Before the period, in the id of an order: "transfer:rent". */
  idsBegin: z.string(),
  template: z.string(),
  timeZone: z.string(),
  rhythm,
  jitterMs: z.number(),
  /** Set to ask for this period. Otherwise it follows from the time. */
  period: z.string().optional(),
});
export type PeriodStart = z.output<typeof periodStart>;

/**
 * True if a schedule's argument starts the same periods, with the same order. Its signature may be
 * another, since a schedule is signed again and again.
 */
export function isSameStart(start: PeriodStart, other: unknown): boolean {
  const read = periodStart.safeParse(other);
  return read.success && identityOf(start) === identityOf(read.data);
}

function identityOf(start: PeriodStart): string {
  const { kind, idsBegin, template, timeZone } = start;
  return canonicalJson({ kind, idsBegin, template, timeZone, order: unsignedOrder(start) });
}

/** The order in a schedule, without its signature. */
export function unsignedOrder({ order }: Pick<PeriodStart, 'order'>): PeriodStart['order'] {
  const { request: _, ...unsigned } = order;
  return unsigned;
}

/** Reasons why a field of an order has no place in a schedule. */
const misplaced: Readonly<Record<string, string>> = {
  dryRun: 'a schedule starts orders and no dry runs',
  continued: 'each period is an order of its own: continue that one',
  generations: 'each period is an order of its own: resubmit that one',
  payoutId: 'that of a period follows from the schedule and the period',
  validUntil: 'it would be the same for every period: end the schedule with --until',
};

const noLines =
  'are missing. Nobody hands them over when a period comes: give the lines in the order, or a file ' +
  'of lines.';

/**
 * The payout id of a period: the schedule's id, which has no colon, and the period. The workflow's
 * id must agree with it.
 */
function payoutIdOf(scheduleId: string, period: string): string {
  return `${scheduleId.slice(scheduleId.lastIndexOf(':') + 1)}:${period}`;
}

/** The order of one period. Throws a BadOrderError if it is none. */
export function orderOfPeriod(
  { scheduleId, kind, order }: Pick<PeriodStart, 'scheduleId' | 'kind' | 'order'>,
  period: string,
): Record<string, unknown> {
  const field = Object.keys(misplaced).find((name) => Object.hasOwn(order, name));
  if (field !== undefined) {
    throw new BadOrderError(`${field}: has no place in a schedule, since ${misplaced[field]}.`);
  }
  const filled: Record<string, unknown> = Object.fromEntries(
    // A signature is of its text as it is.
    Object.entries(order).map(([name, value]) => [
      name,
      name === 'request' ? value : fill(value, period),
    ]),
  );
  if (kind === closeKind) return readCloseOrder(filled);
  if (kind === 'payout') {
    if (filled.lines === undefined) throw new BadOrderError(`lines: ${noLines}`);
    filled.payoutId = payoutIdOf(scheduleId, period);
  }
  readOrderOf(kind, filled);
  return filled;
}

function fill(value: unknown, period: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{period}', period);
  if (Array.isArray(value)) return value.map((inner) => fill(inner, period));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fill(inner, period)]),
  );
}
