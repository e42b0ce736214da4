import type { Schedules } from '../../client/schedules/schedules';
import { counted } from '../../orders/progress/doing';
import { closeKind } from '../../orders/schedule/dailyClose';
import { checkSchedule } from '../../orders/schedule/schedule';
import type { Sum } from '../../orders/schedule/sumOf';
import type { Call } from '../call';
import { scheduledFlags } from '../commands/payout';
import { type ExitCode, exitCodes, InputError } from '../exit';
import { type FlagList, type Flags, flagName, listOf, numberOf, readReason } from '../flags';
import { type Fields, presentFields } from '../order/fields';
import { inFlags } from '../order/inFlags';
import { readOrderFile } from '../order/orderFile';
import { reportNo } from '../order/reportAct';
import { confirming, isBackfillWanted } from './confirm';
import { backfillFlags, insteadFlags, neededFlags, timeFlags } from './flags';
import { takeHolidays } from './holidays/takeHolidays';
import { tellOverridden, tellPeriods, tellSchedule, tellSchedules, tellSpan } from './tellSchedule';

/** Checks a schedule as far as possible, then connects and creates it. */
export async function create(id: string, call: Call): Promise<ExitCode> {
  const { schedule, told, timeZone } = await takeSchedule(id, call);
  const confirm = confirming({ id, call, timeZone, isOwn: true });
  let isAgreed = true;
  const next = await inSchedule(async () => {
    checkSchedule(id, schedule);
    return (await schedulesOf(call)).create(id, schedule, async (coming, terms) => {
      isAgreed = await confirm(coming, terms);
      return isAgreed;
    });
  });
  if (!isAgreed) return reportNo(id, call, 'Nothing was signed, and nothing was created.');
  const first = [`Created ${id}. Its first periods:`, ...tellPeriods(next, timeZone)];
  return tell(call, { id, next }, [...told, ...first]);
}

type Taken = { schedule: unknown; told: string[]; timeZone: string | undefined };

/** The schedule that flags and files say. */
async function takeSchedule(id: string, call: Call): Promise<Taken> {
  const { flags } = call;
  const timeZone = flags.timeZone === undefined ? undefined : String(flags.timeZone);
  const order = await takeOrder(id, call);
  const holidays = takeHolidays(listOf(flags.holidays) ?? []);
  const schedule = presentFields({
    kind: flags.kind,
    order,
    period: needed('--period', flags.period ?? (flags.kind === closeKind ? daily : undefined)),
    cron: flags.cron,
    every: flags.every,
    offset: flags.offset,
    holidays: holidays.days.length === 0 ? undefined : holidays.days,
    calendar: holidays.calendar,
    leavesOut: listOf(flags.leavesOut),
    timeZone,
    jitter: flags.jitter,
    until: flags.until,
    runs: numberOf(flags.runs),
    catchUp: flags.catchUp,
  });
  return { schedule, told: holidays.told, timeZone };
}

/** Does something with a schedule of flags. A fault of the schedule names its flag. */
async function inSchedule<T>(
  work: () => Promise<T>,
  flags: FlagList = [...neededFlags, ...timeFlags],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inFlags(error, { flags });
  }
}

/** Template of the periods of daily closes. */
const daily = 'yyyy-MM-dd';

/** A flag that only a daily close can do without. */
function needed(flag: string, value: Flags[string]): Flags[string] {
  if (value !== undefined) return value;
  throw new InputError(
    `${flag}: is missing. See npx --no-install steadfast schedule create --help`,
  );
}

/** The order of each period. Kinds other than payouts need a file. */
async function takeOrder(id: string, call: Call): Promise<Fields> {
  const { flags } = call;
  if (flags.kind === 'payout') {
    const { place, takeScheduled }: typeof import('../payout/takeScheduled') =
      require('../payout/takeScheduled');
    return takeScheduled(`${id}:${place}`, call);
  }
  const misplaced = scheduledFlags.find(([flag]) => flags[flagName(flag)] !== undefined);
  if (misplaced === undefined) {
    const isAll = flags.kind === closeKind && flags.file === undefined;
    return isAll ? {} : readOrderFile(String(needed('--file', flags.file)));
  }
  const [flag = ''] = misplaced[0].split(' ');
  throw new InputError(`${flag}: is for --kind payout. Put it into the order in --file.`);
}

/** Lists schedules, a line for each. */
export async function printSchedules(call: Call): Promise<ExitCode> {
  const listed = await (await schedulesOf(call)).list();
  return tell(call, listed, tellSchedules(listed));
}

/** Tells all of a schedule. */
export async function describe(id: string, call: Call): Promise<ExitCode> {
  const described = await (await schedulesOf(call)).describe(id);
  return tell(call, described, tellSchedule(described));
}

/** Starts nothing until it is resumed. */
export async function pause(id: string, call: Call): Promise<ExitCode> {
  const reason = readReason(call.flags);
  await (await schedulesOf(call)).pause(id, reason);
  const resume = `npx --no-install steadfast schedule resume ${id}`;
  const message = `${id} is paused. Let it go on with: ${resume}`;
  return tell(call, { id, message }, [message]);
}

/** Lets a paused schedule go on. */
export async function resume(id: string, call: Call): Promise<ExitCode> {
  await (await schedulesOf(call)).resume(id);
  const message =
    `${id} goes on with its next period. Periods that passed while it was paused are started with: ` +
    `npx --no-install steadfast schedule backfill ${id} --from <day> --to <day>`;
  return tell(call, { id, message }, [message]);
}

/** Shows the coming periods, and signs them once they are confirmed, or the schedule is given. */
export async function sign(id: string, call: Call): Promise<ExitCode> {
  const isOwn = call.flags.kind !== undefined;
  const taken = isOwn ? await takeSchedule(id, call) : undefined;
  const isAgreed = confirming({ id, call, timeZone: taken?.timeZone, isOwn });
  const periods = await inSchedule(async () => {
    if (taken === undefined) return (await schedulesOf(call)).sign(id, { isAgreed });
    const { schedule } = taken;
    checkSchedule(id, schedule);
    return (await schedulesOf(call)).sign(id, { schedule, isAgreed });
  });
  if (periods.length === 0) return reportNo(id, call, 'Nothing was signed.');
  const [first, last] = [periods[0]?.period, periods.at(-1)?.period];
  const message = `${id} is signed for ${counted(periods.length, 'period')}, ${first} to ${last}.`;
  return tell(call, { id, periods }, [message]);
}

/** Starts the order of one period. */
export async function trigger(id: string, call: Call): Promise<ExitCode> {
  const { flags } = call;
  const beforeCreation = flags.beforeCreation === true;
  const schedules = await schedulesOf(call);
  const started = await schedules.trigger(id, String(flags.period), { beforeCreation });
  const { workflowId, outcome, period } = started;
  const undone = `npx --no-install steadfast schedule override ${id} --period ${period} --remove`;
  const line = {
    started:
      `Started ${workflowId}. Follow it with: ` + `npx --no-install steadfast watch ${workflowId}`,
    attached: `${workflowId} was under way before: npx --no-install steadfast status ${workflowId}`,
    completed: `${workflowId} was completed before. It is not begun again.`,
    leftOut: `${workflowId} is left out, as somebody has ordered. Take that back with: ${undone}`,
  }[outcome];
  return tell(call, started, [line]);
}

/** Shows the periods between two days with their sum, and starts them once that is confirmed. */
export async function backfill(id: string, call: Call): Promise<ExitCode> {
  const { from, to, beforeCreation } = call.flags;
  const days = { from: String(from), to: String(to), beforeCreation: beforeCreation === true };
  let sum: Sum;
  const start = async () =>
    (await schedulesOf(call)).backfill(id, days, async (all, known) => {
      sum = known;
      return isBackfillWanted({ id, call, sum }, all);
    });
  const periods = await inSchedule(start, backfillFlags);
  if (periods.length === 0) return reportNo(id, call, 'Nothing was started.');
  const message =
    `${id}: ${tellSpan(periods)}. Temporal starts the order of each, unless it was started ` +
    `before. See their results with: npx --no-install steadfast schedule describe ${id}`;
  return tell(call, { id, periods, ...(sum === undefined ? {} : { sum }) }, [message]);
}

/** Has one period do something else, or restores its usual order. */
export async function override(id: string, call: Call): Promise<ExitCode> {
  const { takeInstead }: typeof import('./takeInstead') = require('./takeInstead');
  const period = String(call.flags.period);
  const instead = await takeInstead(id, call);
  const flags = [...insteadFlags, ['--period <period>', ''], ...scheduledFlags] as const;
  const confirm = confirming({ id, call, timeZone: undefined, isOwn: false });
  return inSchedule(async () => {
    const schedules = await schedulesOf(call);
    if (instead === 'usual') {
      const words = await schedules.restore(id, period, confirm);
      const message = words || `${period} of ${id} pays its usual order again.`;
      return tell(call, { id, period, message }, [message]);
    }
    const overridden = await schedules.override(id, period, instead, confirm);
    return tell(call, overridden, tellOverridden(id, overridden));
  }, flags);
}

/** Deletes a schedule. */
export async function remove(id: string, call: Call): Promise<ExitCode> {
  const { isDeleted, isKept, words, overrides } = await (await schedulesOf(call)).remove(id);
  const goesOn = isKept ? 'What it has sent goes on.' : 'What it has started goes on.';
  const stay = `Its overrides stay for a schedule of the same id: ${overrides.join(', ')}.`;
  const deleted = isDeleted ? `${id} is deleted. ${goesOn} ${words}`.trim() : words;
  const message = overrides.length === 0 ? deleted : `${deleted} ${stay}`;
  return tell(call, { id, message }, [message]);
}

async function schedulesOf({ connect }: Call): Promise<Schedules> {
  return (await connect()).steadfast.schedules;
}

function tell({ voice }: Call, document: object, lines: readonly string[]): ExitCode {
  voice.answer(document, lines);
  return exitCodes.done;
}
