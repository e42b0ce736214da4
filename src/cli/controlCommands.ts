import type { Command } from 'commander';
import type { ExitCode } from './exit';
import { idArgument } from './idArgument';
import type { Flags } from './orderCommand';

const json: [string, string] = ['--json', 'print one JSON document and nothing else'];

/** Adds the commands that act upon an order that was started before. */
export function controlCommands(program: Command, ended: (code: ExitCode) => void): void {
  const load = (): typeof import('./control') => require('./control');
  program
    .command('cancel')
    .addArgument(idArgument())
    .description('stop an order; what the service has taken, it is asked to cancel')
    .requiredOption('--reason <text>', 'why, for whoever reads this later')
    .option(...json)
    .action(async (id: string, flags: Flags) => ended(await load().cancel(id, flags)));
  program
    .command('pause')
    .addArgument(idArgument())
    .description('hold back whatever an order would send next; what is under way goes on')
    .requiredOption('--reason <text>', 'why, for whoever reads this later')
    .option(...json)
    .action(async (id: string, flags: Flags) => ended(await load().pause(id, flags)));
  program
    .command('resume')
    .addArgument(idArgument())
    .description('let a paused order go on')
    .option(...json)
    .action(async (id: string, flags: Flags) => ended(await load().resume(id, flags)));
  program
    .command('accelerate')
    .addArgument(idArgument())
    .description('have the service pay a higher fee for the transaction that settles now')
    .option(...json)
    .action(async (id: string, flags: Flags) => ended(await load().accelerate(id, flags)));
  program
    .command('resolve')
    .addArgument(idArgument())
    .description('say what became of a write that is unknown; it is held against the service')
    .requiredOption('--target <write>', 'which one, as status shows it, such as transfer/1#0')
    .requiredOption(
      '--finding <finding>',
      'completed (it was taken), noEffect (it never was), retry (it was, and came to nothing)',
    )
    .requiredOption('--evidence <text>', 'the transaction id or hash; with noEffect, how you know')
    .option(...json)
    .action(async (id: string, flags: Flags) => ended(await load().resolve(id, flags)));
  program
    .command('resubmit')
    .addArgument(idArgument())
    .description('attempt anew the write of an order that came to nothing, under a key of its own')
    .option(...json)
    .option('--no-wait', 'start it, print its id, and leave')
    .option('--timeout <duration>', 'stop waiting after this long, such as 90s, 10m or 2h')
    .action(async (id: string, flags: Flags) => ended(await load().resubmit(id, flags)));
}
