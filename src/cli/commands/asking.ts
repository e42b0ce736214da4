import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, json } from '../flags';
import { aboutOrder } from '../order/orderCommand';

/** Each is loaded once its command runs, so that --help loads none of them. */
const load = {
  status: (): typeof import('../show/status') => require('../show/status'),
  watch: (): typeof import('../show/watch') => require('../show/watch'),
  rate: (): typeof import('../show/rate') => require('../show/rate'),
  examine: (): typeof import('../doctor/examine') => require('../doctor/examine'),
};

/** Adds the commands that show one order. */
export function askingCommands(program: Command, act: Act): void {
  const add = aboutOrder(program, act);
  add('status', 'tell where an order stands, as a timeline in plain words', (id, call) =>
    load.status().status(id, call),
  );
  add('watch', 'follow an order until it ends (leaving does not stop the order)', (id, call) =>
    load.watch().watch(id, call),
  );
}

/** Adds the commands about rates, and about everything that orders need. */
export function serviceCommands(program: Command, act: Act): void {
  program
    .command('rate')
    .description('tell how many calls a second all workers may make, or change it at once')
    .option('--writes <rate>', 'a number a second, off (no limit) or default (as workers start)')
    .option('--reads <rate>', 'the same for reads')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load.rate().rate(call)));
  program
    .command('doctor')
    .description(
      'check everything that orders need, and say how to fix each fault, without moving money',
    )
    .option('--rpc <url>', 'the chain to read receipts from (env: CHAIN_RPC_URL)')
    .option('--fix', 'register missing search attributes, and change nothing else')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load.examine().examine(call)));
}
