import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, json } from '../flags';

/** Loaded once a command runs, so that --help does not load it. */
const load = (): typeof import('./policy') => require('./policy');

/** Adds the commands about the policy of the writers. None of them sends anything. */
export function policyCommands(program: Command, act: Act): void {
  const policy = program.command('policy').description('check the rules that limit payments');
  policy
    .command('check')
    .argument('<file>', 'the policy, YAML or JSON')
    .description('check a policy, and tell the line and the column of each fault')
    .option(...json)
    .action((file: string, flags: Flags) => act(flags, (call) => load().check(file, call)));
  policy
    .command('digest')
    .argument('<file>', 'the policy, YAML or JSON')
    .description('print the digest of a policy and of its address files')
    .option(...json)
    .action((file: string, flags: Flags) => act(flags, (call) => load().digest(file, call)));
  policy
    .command('explain')
    .argument('<file>', 'the policy, YAML or JSON')
    .description('tell which rule says what about a transfer, without sending it')
    .requiredOption('--from <wallet>', 'the id or the address of the paying wallet')
    .requiredOption('--to <address>', 'the recipient')
    .requiredOption('--amount <amount>', 'in the units of the token, such as 12.50')
    .option('--token <token>', 'USDC, EURC, native or an address', 'USDC')
    .option('--order <kind>', 'the kind of order', 'transferStablecoin')
    .option(...json)
    .action((file: string, flags: Flags) => act(flags, (call) => load().explain(file, call)));
  policy
    .command('usage')
    .argument('<file>', 'the policy, YAML or JSON')
    .description('tell what each window has counted, what is open, and what is free')
    .requiredOption('--ledger <path>', 'the file of the ledger (STEADFAST_LEDGER without file:)')
    .option(...json)
    .action((file: string, flags: Flags) => act(flags, (call) => load().usage(file, call)));
}
