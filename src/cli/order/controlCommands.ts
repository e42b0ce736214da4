import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, idArgument, json } from '../flags';

/** Adds the commands that control a started order. */
export function controlCommands(program: Command, act: Act): void {
  const load = (): typeof import('./control') => require('./control');
  program
    .command('cancel')
    .addArgument(idArgument())
    .description('stop an order, and ask the service to cancel what it has accepted')
    .requiredOption('--reason <text>', 'why, for whoever reads this later')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().cancel(id, call)));
  program
    .command('pause')
    .addArgument(idArgument())
    .description('stop an order from sending its next write, while pending ones settle')
    .requiredOption('--reason <text>', 'why, for whoever reads this later')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().pause(id, call)));
  program
    .command('resume')
    .addArgument(idArgument())
    .description('let a paused order go on')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().resume(id, call)));
  program
    .command('accelerate')
    .addArgument(idArgument())
    .description('have the service pay a higher fee for the transaction that settles now')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().accelerate(id, call)));
  program
    .command('resolve')
    .addArgument(idArgument())
    .description('decide an unknown write, after a check with the service')
    .requiredOption('--target <write>', 'which one, as status shows it, such as transfer/1#0')
    .requiredOption(
      '--finding <finding>',
      'completed (it was accepted), noEffect (it never was), retry (it was, but had no effect)',
    )
    .requiredOption('--evidence <text>', 'the transaction id or hash; with noEffect, how you know')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().resolve(id, call)));
  program
    .command('resubmit')
    .addArgument(idArgument())
    .description('retry the write of an order that had no effect, under a new key')
    .option(...json)
    .option('--no-wait', 'start it, print its id, and leave')
    .option('--timeout <duration>', 'stop waiting after this long, such as 90s, 10m or 2h')
    .action((id: string, flags: Flags) => act(flags, (call) => load().resubmit(id, call)));
}
