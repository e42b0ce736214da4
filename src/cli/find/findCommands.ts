import type { Command } from 'commander';
import type { Act } from '../call';
import { declareFlags, type FlagList, type Flags, json } from '../flags';

/** Each is loaded once its command runs, so that --help loads none of them. */
const load = {
  list: (): typeof import('./list') => require('./list'),
  paid: (): typeof import('./paid') => require('./paid'),
  wallet: (): typeof import('./wallet') => require('./wallet'),
  wallets: (): typeof import('./wallets') => require('./wallets'),
  networks: (): typeof import('./networks') => require('./networks'),
};

const moved: FlagList = [
  ['--to <address>', 'the recipient'],
  ['--amount <amount>', 'in the token’s own units, such as 12.50'],
  ['--since <time>', 'a day in UTC such as 2026-01-31, or an ISO 8601 time'],
];

/** Declares the flags that every search has, after those of its own. */
function declareSearch(search: Command): Command {
  declareFlags(search, moved);
  return search.option('--limit <count>', 'at most so many', '50').option(...json);
}

/** Adds the commands that find orders, payments and wallets, and tell networks. */
export function findCommands(program: Command, act: Act): void {
  const list = program
    .command('list')
    .description('list orders, newest first: all, or those that have what is asked for')
    .option('--status <status>', 'such as Unknown, NeedsOperator, Paused, Settling')
    .option('--kind <kind>', 'a command such as transfer, or a workflow such as transferStablecoin')
    .option('--reference <text>', 'your own word for it, in full')
    .option('--wallet <wallet>', 'the wallet that pays or is funded: its id or its address');
  declareSearch(list).action((flags: Flags) => act(flags, (call) => load.list().printOrders(call)));
  const paid = program
    .command('paid')
    .description('find payments over all orders and payouts, in the archive (STEADFAST_STORE)')
    .option('--reference <text>', 'of an order or a line, or the id of a line');
  declareSearch(paid).action((flags: Flags) => act(flags, (call) => load.paid().paid(call)));
  program
    .command('wallets')
    .description('list all wallets, with their names and balances (CUSTODY_* variables)')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load.wallets().listWallets(call)));
  program
    .command('wallet')
    .argument('<wallet>', 'the id or the address of the wallet')
    .description('tell the address, the type and the balances of a wallet (CUSTODY_* variables)')
    .option(...json)
    .action((named: string, flags: Flags) =>
      act(flags, (call) => load.wallet().showWallet(named, call)),
    );
  program
    .command('networks')
    .description('tell what is known of each network, before anybody asks it')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => load.networks().tellNetworks(call)));
}
