import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, json } from '../flags';

/** Loaded once a command runs, so that --help does not load it. */
const load = (): typeof import('./answers') => require('./answers');

/** Adds the commands about messages to the receiver of the ends of orders. */
export function answersCommands(program: Command, act: Act): void {
  const answers = program
    .command('answers')
    .description('see and repeat what a receiver is told of the ends of orders');
  answers
    .command('list')
    .description('list messages that the receiver was not told yet')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load().list(call)));
  answers
    .command('resend')
    .argument('<id>', 'the id of the order, such as payout:january')
    .description('send all messages about an order again, with the ids that they had')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load().resend(id, call)));
}
