import { Argument, type Command } from 'commander';
import type { Terminal } from '../show/voice';

/** Adds the command that prints a completion script, made from the commands themselves. */
export function completionCommand(program: Command, stdout: Terminal['stdout']): void {
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
    .action((shell: string) => {
      const { scripts }: typeof import('./scripts') = require('./scripts');
      const { placesOf }: typeof import('./places') = require('./places');
      stdout.write(scripts[shell]?.(placesOf(program)) ?? '');
    });
}
