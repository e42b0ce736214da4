import { Argument, type Command } from 'commander';
import { readOrderId } from '../orders/orderId';
import { payout, payoutIdOf } from './commands/payout';
import type { ExitCode } from './exit';
import { declareOrder, type Flags } from './orderCommand';

const json: [string, string] = ['--json', 'print one JSON document and nothing else'];

/** Adds the command that pays the lines of a file, and those that act upon such a payout. */
export function payoutCommand(program: Command, ended: (code: ExitCode) => void): void {
  const load = (): typeof import('./payout/control') => require('./payout/control');
  const command = declareOrder(program, payout)
    .argument('[file]', 'the lines: lineId, to, amount and token of each')
    .action(async (path: string | undefined, flags: Flags) => {
      const { takePayout }: typeof import('./payout/takePayout') = require('./payout/takePayout');
      const taken = await takePayout(path, flags);
      // Only lines that may be handed over are worth loading Temporal's client for.
      const { payOut }: typeof import('./payout/payOut') = require('./payout/payOut');
      ended(await payOut(taken));
    });
  const results = command
    .command('results')
    .addArgument(payoutArgument())
    .description('tell what became of every line so far, as CSV; at any time')
    .option('--csv <path>', 'write a file')
    .option('--json', 'print a JSON list')
    .option('--jsonl', 'print a JSON object a line')
    .action(async (id: string) => {
      const read: typeof import('./payout/results') = require('./payout/results');
      ended(await read.results(id, ownFlags(results)));
    });
  const retry = command
    .command('retry')
    .addArgument(payoutArgument())
    .argument('[lineIds...]', 'which lines; all that have failed, unless said')
    .description('attempt failed lines anew, under keys of their own; what is paid stays paid')
    .option(...json)
    .option('--no-wait', 'start it, print its id, and leave')
    .option('--timeout <duration>', 'stop waiting after this long, such as 90s, 10m or 2h')
    .action(async (id: string, lineIds: string[]) =>
      ended(await load().retry(id, lineIds, ownFlags(retry))),
    );
  const skip = command
    .command('skip')
    .addArgument(payoutArgument())
    .argument('<lineIds...>', 'lines that wait to be sent, or are unknown and given up')
    .description('have lines not be paid; one that is unknown stays so')
    .requiredOption('--reason <text>', 'why, for whoever reads this later')
    .option(...json)
    .action(async (id: string, lineIds: string[]) =>
      ended(await load().skip(id, lineIds, ownFlags(skip))),
    );
  const rate = command
    .command('rate')
    .addArgument(payoutArgument())
    .argument('<lines>', 'how many in a second, such as 2.5; or off')
    .description('set how many lines are sent in a second; off is as many as the service takes')
    .option(...json)
    .action(async (id: string, lines: string) =>
      ended(await load().rate(id, lines, ownFlags(rate))),
    );
}

/**
 * The flags of a command below `payout`. Commander hands them to `payout` where that has one of the
 * same name, wherever they stand; others of it are none here.
 */
function ownFlags(command: Command): Flags {
  const { parent } = command;
  const foreign = parent?.options.find(
    (option) =>
      parent.getOptionValueSource(option.attributeName()) === 'cli' &&
      !command.options.some(({ long }) => long === option.long),
  );
  if (foreign === undefined) return command.optsWithGlobals();
  const code = 'commander.unknownOption';
  return command.error(`error: unknown option '${foreign.long}'`, { code });
}

/** A payout, named by its own id or by that of its workflow. */
function payoutArgument(): Argument {
  return new Argument('<id>', 'the id of the payout, such as january').argParser(
    (id: string) => `payout:${payoutIdOf(readOrderId(id))}`,
  );
}
