import type { Command } from 'commander';
import type { Act } from '../call';
import { declareFlags, type FlagList, type Flags, json } from '../flags';
import { valuingRates } from '../rates/ratesFlags';

/** Flags of every command that reads a period of the books. */
const periodFlags: FlagList = [
  ['--to <time>', 'a day, which counts to its end, or an ISO 8601 time (default: now)'],
  ['--rpc <url>', 'the chain to read (env: CHAIN_RPC_URL)'],
];

/** Adds the commands about the books: statements of wallets, and their reconciliation. */
export function statementCommands(program: Command, act: Act): void {
  const load = (): typeof import('./statement') => require('./statement');
  const statement = program
    .command('statement')
    .description('show every movement of wallets in a period, from the chain, with balances')
    .requiredOption('--from <time>', 'a day in UTC such as 2026-01-31, or an ISO 8601 time');
  declareFlags(statement, [
    ['--wallet <id>', 'the id or the address of a wallet, several times if need be', 'several'],
    ...periodFlags,
    [
      '--format <form>',
      'table, jsonl, csv, hledger, camt053 or bank-csv (default: a table on a terminal, else jsonl)',
    ],
    ['--camt-version <version>', 'of camt053: 02, 08 or 12 (default 12)'],
    ['--currency <list>', 'of camt053: currencies of tokens, such as USDC=USD,EURC=EUR', 'several'],
    ...valuingRates,
    ['--out <path>', 'write a file, which is complete or not there (bank-csv: a folder)'],
    ['--plot <path>', 'also draw balances, and in and out a day, as SVG'],
  ]);
  reconcileCommand(program, act);
  statement.action((flags: Flags) => act(flags, (call) => load().printStatement(call)));
}

function reconcileCommand(program: Command, act: Act): void {
  const load = (): typeof import('./reconcile') => require('./reconcile');
  const command = program
    .command('reconcile')
    .description('compare orders, the list of the service, the chain and the archive for a period')
    .requiredOption('--from <time>', 'a day in UTC such as 2026-01-31, or an ISO 8601 time');
  declareFlags(command, [
    ...periodFlags,
    ['--out <path>', 'write every row as JSON Lines'],
    ['--indexed', 'take final records from the account index of the workers, not from the list'],
    ['--all', 'also show what is matched'],
    ['--watch', 'go on, and show what is new'],
    ['--every <duration>', 'with --watch: how often (default 60s)'],
    json,
  ]);
  command.action((flags: Flags) => act(flags, (call) => load().reconcilePeriod(call)));
}
