import { checkSchedule } from '../orders/schedule';
import type { Schedules } from '../schedules';
import { connect } from './connect';
import { type ExitCode, exitCodes, InputError } from './exit';
import { type Flags, given } from './orderCommand';
import { readOrderFile } from './orderFile';
import type { Scheduled } from './payout/takeScheduled';
import { reasonOf } from './reason';
import { scheduledFlags } from './scheduleCommands';
import { tellPeriods, tellSchedule, tellSchedules } from './tellSchedule';
import { createVoice } from './voice';

/** Creates a schedule, which is checked as far as possible before anything is connected to. */
export async function create(id: string, flags: Flags): Promise<ExitCode> {
  const runs = /^\d{1,9}$/.test(String(flags.runs)) ? Number(flags.runs) : flags.runs;
  const { order, told } = await takeOrder(id, flags);
  const wanted: unknown = given({
    ...{ kind: flags.kind, order, period: flags.period },
    ...{ cron: flags.cron, every: flags.every, offset: flags.offset, timeZone: flags.timeZone },
    ...{ jitter: flags.jitter, until: flags.until, runs, catchUp: flags.catchUp },
  });
  checkSchedule(id, wanted);
  const next = await (await connected()).create(id, wanted);
  const first = [`Created ${id}. Its first periods:`, ...tellPeriods(next, wanted.timeZone)];
  return tell(flags, { id, next }, [...told, ...first]);
}

/** The order of each period. What only payouts have flags for is in the file of any other kind. */
async function takeOrder(id: string, flags: Flags): Promise<Scheduled> {
  if (flags.kind === 'payout') {
    const { takeScheduled }: typeof import('./payout/takeScheduled') =
      require('./payout/takeScheduled');
    return takeScheduled(id, flags);
  }
  const misplaced = scheduledFlags.find(([flag]) => flags[nameOf(flag)] !== undefined);
  if (misplaced === undefined) return { order: readOrderFile(String(flags.file)), told: [] };
  const [flag = ''] = misplaced[0].split(' ');
  throw new InputError(`${flag}: is for --kind payout. Put it into the order in --file.`);
}

/** As commander calls it: "--max-total <limit>" is maxTotal. */
function nameOf(flag: string): string {
  const [words = ''] = flag.replace(/^--/, '').split(' ');
  return words.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Lists schedules, a line for each. */
export async function list(flags: Flags): Promise<ExitCode> {
  const listed = await (await connected()).list();
  return tell(flags, listed, tellSchedules(listed));
}

/** Tells all of a schedule. */
export async function describe(id: string, flags: Flags): Promise<ExitCode> {
  const described = await (await connected()).describe(id);
  return tell(flags, described, tellSchedule(described));
}

/** Starts nothing until it is resumed. */
export async function pause(id: string, flags: Flags): Promise<ExitCode> {
  const reason = reasonOf(flags);
  await (await connected()).pause(id, reason);
  const message = `${id} is paused. Let it go on with: npx steadfast schedule resume ${id}`;
  return tell(flags, { id, message }, [message]);
}

/** Lets a paused schedule go on. */
export async function resume(id: string, flags: Flags): Promise<ExitCode> {
  await (await connected()).resume(id);
  const message =
    `${id} goes on with its next period. Those that passed while it was paused are started with: ` +
    `npx steadfast schedule backfill ${id} --from <day> --to <day>`;
  return tell(flags, { id, message }, [message]);
}

/** Starts the order of one period. */
export async function trigger(id: string, flags: Flags): Promise<ExitCode> {
  const started = await (await connected()).trigger(id, String(flags.period));
  const { workflowId, outcome } = started;
  const line = {
    started: `Started ${workflowId}. Follow it with: npx steadfast watch ${workflowId}`,
    attached: `${workflowId} was under way before: npx steadfast status ${workflowId}`,
    completed: `${workflowId} was completed before; nothing is moved again.`,
  }[outcome];
  return tell(flags, started, [line]);
}

/** Has all periods between two days started. */
export async function backfill(id: string, flags: Flags): Promise<ExitCode> {
  const days = { from: String(flags.from), to: String(flags.to) };
  const periods = await (await connected()).backfill(id, days);
  const [first, last] = [periods[0]?.period, periods.at(-1)?.period];
  const which = periods.length === 1 ? `1 period, ${first}` : `${periods.length} periods`;
  const span = periods.length === 1 ? '' : `, ${first} to ${last}`;
  const message =
    `${id}: ${which}${span}. Temporal starts the order of each, unless it was started before. ` +
    `See what comes of them with: npx steadfast schedule describe ${id}`;
  return tell(flags, { id, periods }, [message]);
}

/** Deletes a schedule. */
export async function remove(id: string, flags: Flags): Promise<ExitCode> {
  await (await connected()).remove(id);
  const message = `${id} is deleted. What it has started goes on.`;
  return tell(flags, { id, message }, [message]);
}

async function connected(): Promise<Schedules> {
  return (await connect()).steadfast.schedules;
}

function tell(flags: Flags, document: object, lines: readonly string[]): ExitCode {
  const voice = createVoice(flags.json === true);
  voice.document(document);
  if (!voice.isJson) for (const line of lines) voice.say(line);
  return exitCodes.done;
}
