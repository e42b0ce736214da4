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

/** Commander's finding about a command line as a sentence that names the way out. */
export function usageSentence(
  error: CommanderError,
  program: Command,
  args: readonly string[],
): string {
  const [said = '', hint = ''] = error.message.replace(/^error: /, '').split('\n');
  const [, named = ''] = /'([^']*)'/.exec(said) ?? [];
  const fault = faults[error.code]?.(named) ?? said.charAt(0).toUpperCase() + said.slice(1);
  const words = [`${quoted(fault.replace(/\.$/, ''))}.`, hint.replace(/^\(|\)$/g, '')];
  const help = ['npx steadfast', ...commandIn(args, program.commands), '--help'].join(' ');
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
