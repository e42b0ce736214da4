import { Argument, type Command } from 'commander';
import { readScheduleId } from '../../orders/input/orderId';
import type { Act } from '../call';
import { scheduledFlags } from '../commands/payout';
import { declareFlags, type FlagList, type Flags, json, reason } from '../flags';
import { backfillDays, backfillFlags, insteadFlags, neededFlags, timeFlags } from './flags';

const examples = `
Examples:
  steadfast schedule create salaries --kind payout --file january.csv --wallet <id> \\
    --cron "0 9 1 * *" --time-zone Europe/Berlin --period yyyy-MM
  steadfast schedule create payroll --kind transferStablecoin --file salary.yaml \\
    --cron "0 9 1 * *" --time-zone Europe/Berlin --period yyyy-MM
  steadfast schedule create books --kind dailyClose --cron "15 0 * * *"`;

const overrideExamples = `
Examples:
  steadfast schedule override rent --period 2026-12 --amount 1200
  steadfast schedule override salaries --period 2026-12 --file bonus.csv
  steadfast schedule override rent --period 2026-12 --skip
  steadfast schedule override rent --period 2026-12 --remove`;

/** Adds the commands about schedules. */
export function scheduleCommands(program: Command, act: Act, env: NodeJS.ProcessEnv): void {
  const load = (): typeof import('./schedule') => require('./schedule');
  const group = program
    .command('schedule')
    .description('start an order again and again: once for each day, week or month');
  type Deed = Exclude<keyof ReturnType<typeof load>, 'printSchedules'>;
  const add = (name: Deed, description: string): Command =>
    group
      .command(name === 'remove' ? 'delete' : name)
      .addArgument(scheduleArgument(env))
      .description(description)
      .option(...json)
      .action((id: string, flags: Flags) => act(flags, (call) => load()[name](id, call)));
  const create = add('create', 'create a schedule, and tell its first periods');
  const [[kind, words] = ['', ''], ...others] = neededFlags;
  create.requiredOption(kind, words);
  declareFlags(create, [...others, ...timeFlags]);
  create.addHelpText('after', examples);
  const ofPayout: FlagList = scheduledFlags.map(([flag, what, ...several]) => {
    return [flag, `of a payout: ${what}`, ...several];
  });
  declareFlags(create, ofPayout);
  create.option(...unasked);
  group
    .command('list')
    .description('list schedules, and what each starts next')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load().printSchedules(call)));
  add('describe', 'tell what a schedule starts and when, and what came of its last periods');
  const pause = add('pause', 'start nothing until it is resumed; what was started goes on');
  pause.requiredOption(...reason);
  add('resume', 'let a paused schedule go on with its next period');
  const sign = add('sign', 'show its next hundred periods and sign them, as a policy wants it');
  sign.option(...unasked);
  declareFlags(sign, [...neededFlags, ...timeFlags, ...ofPayout].map(asGiven));
  sign.addHelpText('after', againWords);
  const trigger = add('trigger', 'start the order of one period, unless it was started');
  trigger.requiredOption('--period <period>', 'which one, such as 2026-01');
  trigger.option('--before-creation', 'also one from before the schedule was created');
  const backfill = add('backfill', 'start the orders of all periods between two days, once asked');
  for (const [flag, words] of backfillDays) backfill.requiredOption(flag, words);
  declareFlags(backfill, backfillFlags.slice(backfillDays.length));
  const override = add('override', 'have one period do something else, or nothing, once');
  override.requiredOption('--period <period>', 'which one, such as 2026-12');
  override.option(...unasked);
  declareFlags(override, [...insteadFlags, ...ofPayout]);
  override.addHelpText('after', overrideExamples);
  add('remove', 'start nothing more, for good; what was started goes on');
}

const unasked: [string, string] = ['--yes', 'do not ask before signing'];

/** A flag of a schedule that is given a second time. */
function asGiven([flag, words, ...several]: FlagList[number]): FlagList[number] {
  return [flag, `as it was created: ${words}`, ...several];
}

const againWords = `
Give --yes, or the whole schedule as it was created, where nobody is there to ask.`;

function scheduleArgument({ STEADFAST_KEY_SCOPE: keyScope = '' }: NodeJS.ProcessEnv): Argument {
  const argument = new Argument('<id>', 'of the schedule, such as payroll');
  return argument.argParser((id: string) => readScheduleId(id, keyScope));
}
