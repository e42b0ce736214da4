import type { Command } from 'commander';

/** A word that may stand at a place, and what it does. */
export type Word = { word: string; about: string };

/** A place of the command line: the commands so far, and the words that may follow them. */
export type CommandPlace = { after: readonly string[]; commands: Word[]; flags: Word[] };

/** All places of a program, the program itself first. */
export function commandPlaces(command: Command, after: readonly string[] = []): CommandPlace[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const place: CommandPlace = {
    after,
    commands: commands.map((one) => ({ word: one.name(), about: one.description() })),
    flags: help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
  };
  return [place, ...commands.flatMap((one) => commandPlaces(one, [...after, one.name()]))];
}
