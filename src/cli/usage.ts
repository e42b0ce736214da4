import type { Command, CommanderError } from 'commander';
import { quoted } from '../orders/input/shown';

/** Sentences about a wrong command line, by commander's error code. */
const faults: Readonly<Record<string, (named: string) => string>> = {
  'commander.unknownOption': (flag) => `${flag}: is not a flag here`,
  'commander.unknownCommand': (word) => `"${word}" is not a command`,
  'commander.missingArgument': (argument) => `<${argument}>: is missing`,
  'commander.optionMissingArgument': (flag) => `${nameOf(flag)}: needs a value: ${flag}`,
  'commander.missingMandatoryOptionValue': (flag) => `${nameOf(flag)}: is missing: give ${flag}`,
};

/** Words that people try, and the command that each means. */
const meanings: Readonly<Record<string, string>> = {
  pay: 'transfer, or npx --no-install steadfast payout for many',
  ls: 'list',
  orders: 'list',
  payouts: 'list --kind payout',
  transfers: 'list --kind transfer',
  deployments: 'list --kind deploy',
  schedules: 'schedule list',
  receipts: 'paid',
  payments: 'paid',
  find: 'paid',
  search: 'list --reference <text>',
  balance: 'wallet <id>',
  balances: 'wallets',
};

/** The question whether a command was meant. Undefined for a word that nobody tries. */
function suggestCommand(word: string): string | undefined {
  const command = Object.hasOwn(meanings, word) ? meanings[word] : undefined;
  return command && `Did you mean: npx --no-install steadfast ${command}?`;
}

/** Commander's finding about a command line as a sentence that names the way out. */
export function usageSentence(
  error: CommanderError,
  program: Command,
  args: readonly string[],
): string {
  const [said = '', hint = ''] = error.message.replace(/^error: /, '').split('\n');
  const [, named = ''] = /'([^']*)'/.exec(said) ?? [];
  const fault = faults[error.code]?.(named) ?? said.charAt(0).toUpperCase() + said.slice(1);
  const meant = error.code === 'commander.unknownCommand' ? suggestCommand(named) : undefined;
  const words = [`${quoted(fault.replace(/\.$/, ''))}.`, meant ?? hint.replace(/^\(|\)$/g, '')];
  const help = ['npx --no-install steadfast', ...commandIn(args, program.commands), '--help'].join(
    ' ',
  );
  return [...words.filter((word) => word !== ''), `See ${help}.`].join(' ');
}

/** The names of the command and its subcommand, as far as they exist. */
function commandIn([arg, ...rest]: readonly string[], known: readonly Command[]): string[] {
  if (arg === undefined) return [];
  const command = known.find((one) => one.name() === arg);
  return command === undefined
    ? commandIn(rest, known)
    : [arg, ...commandIn(rest, command.commands)];
}

function nameOf(flag: string): string {
  return flag.split(' ')[0] ?? flag;
}
