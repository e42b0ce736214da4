import type { FlagList } from '../flags';

/** The flags that every new schedule needs. A daily close needs only the first. */
export const neededFlags: FlagList = [
  ['--kind <kind>', 'of its orders, such as transferStablecoin or payout; or dailyClose'],
  [
    '--file <path>',
    'the order as .json or .yaml, {period} in its texts is filled; or the lines of a payout as .csv',
  ],
  ['--period <template>', "how a period is named: yyyy-MM, yyyy-MM-dd, yyyy-'W'ww"],
];

/** The flags that say when a schedule starts an order, how often and how late. */
export const timeFlags: FlagList = [
  ['--cron <expression>', 'when: minute, hour, day of month, month, day of week (or --every)'],
  [
    '--holidays <days>',
    'with the day of month LW: days that are no working days, or a file: .ics, .csv, .txt',
    'several',
  ],
  ['--every <span>', 'instead of --cron: a span such as 12h or 7d, counted in UTC'],
  ['--offset <span>', 'with --every: how much later each time'],
  ['--time-zone <zone>', 'of cron and of periods, such as Europe/Berlin (default UTC)'],
  ['--leaves-out <periods>', 'names of periods without a time, to confirm them', 'several'],
  ['--jitter <span>', 'each start is up to this much later'],
  ['--until <day>', 'the last day, or moment, on which a period may start'],
  ['--runs <count>', 'the number of its periods, counted from its creation'],
  ['--catch-up <span>', 'how late a period that was missed may start (default 365d)'],
];

/** The flags that say what a period does instead. */
export const insteadFlags: FlagList = [
  ['--amount <amount>', 'the usual order with another amount'],
  ['--file <path>', 'another order as .json or .yaml; or other lines of a payout as .csv'],
  ['--skip', 'nothing: the period is left out'],
  ['--remove', 'the usual order again'],
];

/** The days that every backfill needs. */
export const backfillDays: FlagList = [
  ['--from <day>', 'the first day, such as 2026-01-01, or a moment'],
  ['--to <day>', 'the last day, or a moment'],
];

/** The flags of a backfill. */
export const backfillFlags: FlagList = [
  ...backfillDays,
  ['--before-creation', 'also periods from before the schedule was created'],
  ['--yes', 'do not ask before they are started'],
];
