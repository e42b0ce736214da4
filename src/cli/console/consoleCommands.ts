import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, json } from '../flags';

/** Adds the page for people, and the invitation to it. */
export function consoleCommands(program: Command, act: Act, env: NodeJS.ProcessEnv): void {
  const console = program
    .command('console')
    .description('serve the page for people who approve and watch, until Ctrl-C')
    .action(async () => {
      const { runConsole }: typeof import('../../console/runConsole') =
        require('../../console/runConsole');
      await runConsole(env);
    });
  console
    .command('invite')
    .argument('<person>', 'the name in the policy')
    .description('print a link for the passkeys of a person, and then the line for the policy')
    .option('--no-wait', 'print the link, and do not wait for the passkeys')
    .option(...json)
    .action((person: string, flags: Flags) =>
      act(flags, (call) => {
        const { invite }: typeof import('./invite') = require('./invite');
        return invite(person, call);
      }),
    );
}
