import type { Command } from 'commander';
import type { Act } from '../call';
import { awaiting, declareFlags, type Flags, json } from '../flags';
import { valuingRates } from '../rates/ratesFlags';

const dayWords = 'the day, such as 2026-01-31';

/** Adds the commands that close a day of the books, and that show closed days. */
export function closeCommands(program: Command, act: Act): void {
  const load = (): typeof import('./close') => require('./close');
  const close = program
    .command('close')
    .argument('<day>', dayWords)
    .description('reconcile a day that is over, once, as a workflow whose result Temporal keeps')
    .action((day: string, flags: Flags) => act(flags, (call) => load().close(day, call)));
  declareFlags(close, [
    ['--wallet <id>', 'the id of a wallet, several times if need be (default: all)', 'several'],
    ['--time-zone <zone>', 'of the day, such as Europe/Berlin (default UTC)'],
    ['--rpc <url>', 'the chain to find the last block of the day on (env: CHAIN_RPC_URL)'],
    ['--again', 'compare a day again that was closed before'],
    ...valuingRates,
    json,
    ...awaiting,
  ]);
  const show = close
    .command('show')
    .argument('<day>', dayWords)
    .description('print the result of a closed day, as Temporal keeps it')
    // Commander gives --json and others to "close", which has them too.
    .action((day: string, flags: Flags, { parent }: Command) =>
      act({ ...parent?.opts(), ...flags }, (call) => load().showClose(day, call)),
    );
  declareFlags(show, [json, ...valuingRates]);
}
