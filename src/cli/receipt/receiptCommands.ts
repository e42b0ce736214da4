import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, idArgument, json } from '../flags';

/** Each is loaded once its command runs, so that --help loads none of them. */
const load = {
  receipt: (): typeof import('./receipt') => require('./receipt'),
  verify: (): typeof import('./verify') => require('./verify'),
  archive: (): typeof import('./archive') => require('./archive'),
  rebuild: (): typeof import('./rebuild') => require('./rebuild'),
};

const joined = (value: string, earlier: string | undefined): string =>
  earlier === undefined ? value : `${earlier} ${value}`;

/** Adds the commands about receipts and about the archive that keeps them. */
export function receiptCommands(program: Command, act: Act): void {
  const receipt = program
    .command('receipt')
    .addArgument(idArgument())
    .description('print the receipts of an order, as the archive keeps them (STEADFAST_STORE)')
    .option('--line <lineId>', 'of a payout: the receipt of this line alone')
    .option('--html <file>', 'write a page for the payee, which prints well')
    .option(...json)
    .action((id: string, flags: Flags) => act(flags, (call) => load.receipt().receipt(id, call)));
  receipt
    .command('verify')
    .argument('<file>', 'receipts as JSON, as this program prints them')
    .description('prove receipts from the chain alone; needs neither the service nor Temporal')
    .option(
      '--rpc <url>',
      'a node of the chain; a second --rpc must agree (env: CHAIN_RPC_URL)',
      joined,
    )
    .option(...json)
    // Commander gives --json to "receipt", which has it too.
    .action((file: string, flags: Flags, { parent }: Command) =>
      act({ ...parent?.opts(), ...flags }, (call) => load.verify().verifyReceipts(file, call)),
    );
  const archive = program
    .command('archive')
    .description('check the archive of receipts, or bring in what it lacks');
  archive
    .command('verify')
    .argument('[files...]', 'day files to check instead of the store')
    .description('check that no row is missing or changed (STEADFAST_STORE)')
    .option('--head <row:stamp>', 'a head that was noted earlier, which must still be in it')
    .option(...json)
    .action((files: string[], flags: Flags) =>
      act(flags, (call) => load.archive().checkRows(files, call)),
    );
  archive
    .command('rebuild')
    .description('bring in missing receipts from the service (CUSTODY_*), the chain and Temporal')
    .option('--from <day>', 'look no further back than this day, such as 2026-01-31')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load.rebuild().rebuild(call)));
}
