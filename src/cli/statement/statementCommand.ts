import type { Command } from 'commander';
import type { Act } from '../call';
import { declareFlags, type FlagList, type Flags } from '../flags';

/** Flags of every command that reads a period of the books. */
export const periodFlags: FlagList = [
  ['--to <time>', 'a day, which counts to its end, or an ISO 8601 time (default: now)'],
  ['--rpc <url>', 'the chain to read (env: CHAIN_RPC_URL)'],
];

/** Adds the commands about the books: statements of wallets. */
export function statementCommands(program: Command, act: Act): void {
  const load = (): typeof import('./statement') => require('./statement');
  const statement = program
    .command('statement')
    .description('tell every movement of wallets in a period, from the chain, with balances')
    .requiredOption('--from <time>', 'a day in UTC such as 2026-01-31, or an ISO 8601 time');
  declareFlags(statement, [
    ['--wallet <id>', 'the id or the address of a wallet, several times if need be', 'several'],
    ...periodFlags,
    ['--format <form>', 'jsonl, csv, hledger or camt053 (default jsonl)'],
    ['--out <path>', 'write a file, which is complete or not there'],
    ['--plot <path>', 'also draw balances, and in and out a day, as SVG'],
  ]);
  statement.action((flags: Flags) => act(flags, (call) => load().statement(call)));
}
