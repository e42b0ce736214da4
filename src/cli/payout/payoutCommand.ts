import { existsSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { payoutIdOf, readOrderId } from '../../orders/input/orderId';
import type { Act } from '../call';
import { columnFlags, linesFlags, payCommand } from '../commands/payout';
import { InputError } from '../exit';
import { awaiting, declareFlags, type Flags, json, reason } from '../flags';
import { declareOrder } from '../order/orderCommand';

/** Adds `payout` and its subcommands. */
export function payoutCommand(program: Command, act: Act, env: NodeJS.ProcessEnv): void {
  const load = (): typeof import('./control') => require('./control');
  const command = declareOrder(program, payCommand)
    .argument('[file]', 'the lines: lineId, to, amount and token of each, or ISO 20022 pain.001')
    .action((path: string | undefined, flags: Flags) =>
      act(flags, async (call) => {
        if (path === 'list' && !existsSync(path)) throw new InputError(listWords);
        const { takePayout }: typeof import('./takePayout') = require('./takePayout');
        const taken = await takePayout(path, call);
        // Loads Temporal's client only once the lines are checked.
        const { payOut }: typeof import('./payOut') = require('./payOut');
        return payOut(taken, call);
      }),
    );
  tellingCommands(command, act, env);
  const retry = command
    .command('retry')
    .addArgument(payoutArgument(env))
    .argument('[lineIds...]', 'which lines; all that have failed, unless said')
    .description('retry failed lines under new keys, without paying any line twice')
    .option(...json)
    .action((id: string, lineIds: string[]) =>
      act(ownFlags(retry), (call) => load().retryLines(id, lineIds, call)),
    );
  declareFlags(retry, awaiting);
  const goOn = command
    .command('continue')
    .addArgument(payoutArgument(env))
    .description('pay the lines that a cancellation has left, under the same id, each once')
    .option(...json)
    .action((id: string) => act(ownFlags(goOn), (call) => load().goOn(id, call)));
  declareFlags(goOn, awaiting);

  const skip = command
    .command('skip')
    .addArgument(payoutArgument(env))
    .argument('<lineIds...>', 'lines that wait to be sent, or are unknown and given up')
    .description('skip lines that are not sent yet, or give up unknown ones')
    .requiredOption(...reason)
    .option(...json)
    .action((id: string, lineIds: string[]) =>
      act(ownFlags(skip), (call) => load().skip(id, lineIds, call)),
    );
  const rate = command
    .command('rate')
    .addArgument(payoutArgument(env))
    .argument('<lines>', 'how many in a second, such as 2.5; or off')
    .description('set the lines sent per second, or off for as many as the service accepts')
    .option(...json)
    .action((id: string, lines: string) =>
      act(ownFlags(rate), (call) => load().setPayoutRate(id, lines, call)),
    );
}

/** Adds the commands that tell of lines, and change nothing. */
function tellingCommands(command: Command, act: Act, env: NodeJS.ProcessEnv): void {
  const results = command
    .command('results')
    .addArgument(payoutArgument(env))
    .description('tell the outcome of every line so far, as CSV')
    .option('--csv <path>', 'write a file')
    .option('--json', 'print a JSON list')
    .option('--jsonl', 'print a JSON object a line')
    .option('--pain002', 'print ISO 20022 pain.002, the answer to a pain.001')
    .option('--camt054', 'print ISO 20022 camt.054, a notification of what was paid')
    .option('--return <file>', 'give this CSV file back, with what became of each of its rows')
    .action((id: string) =>
      act(ownFlags(results), (call) => {
        const read: typeof import('./results') = require('./results');
        return read.results(id, call);
      }),
    );
  declareFlags(results, columnFlags);
  const digest = command
    .command('digest')
    .argument('<file>', 'the lines, as for payout, or the order as .json or .yaml with its lines')
    .description('print the digest of the lines of a file, which an approver compares')
    .option(...json)
    .action((path: string) =>
      act(ownFlags(digest), (call) => {
        const own: typeof import('./tellDigest') = require('./tellDigest');
        return own.tellDigest(path, call);
      }),
    );
  declareFlags(digest, linesFlags);
}

const listWords =
  '"list" is no command of payout, and no file here. Did you mean: npx --no-install steadfast list --kind payout?';

/**
 * The flags of a subcommand of `payout`. Commander gives `payout` those that both have. Flags that
 * only `payout` has are refused here.
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

/** The id of a payout, or of its workflow. */
function payoutArgument({ STEADFAST_KEY_SCOPE: keyScope = '' }: NodeJS.ProcessEnv): Argument {
  return new Argument('<id>', 'the id of the payout, such as january').argParser(
    (id: string) => `payout:${readOrderId(payoutIdOf(id, keyScope))}`,
  );
}
