import { Argument, type Command } from 'commander';
import type { Act } from '../call';
import { exitCodes } from '../exit';

/** Adds the command that prints a completion script, made from the commands themselves. */
export function completionCommand(program: Command, act: Act): void {
  program
    .command('completion')
    .description('print a script that completes commands and flags of steadfast in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  steadfast completion bash > ~/.local/share/bash-completion/completions/steadfast
  steadfast completion zsh > "\${fpath[1]}/_steadfast"
  steadfast completion fish > ~/.config/fish/completions/steadfast.fish`,
    )
    .action((shell: string) =>
      act({}, ({ terminal }) => {
        const { scripts }: typeof import('./scripts') = require('./scripts');
        const { commandPlaces }: typeof import('./places') = require('./places');
        terminal.stdout.write(scripts[shell]?.(commandPlaces(program)) ?? '');
        return exitCodes.done;
      }),
    );
}
