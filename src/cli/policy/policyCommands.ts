import type { Command } from 'commander';
import type { Act } from '../call';
import { type Flags, json } from '../flags';

/** Loaded once a command runs, so that --help does not load it. */
const load = (): typeof import('./policy') => require('./policy');

type Deed = keyof ReturnType<typeof load>;

/** Adds the commands about the policy of the writers. None of them sends anything. */
export function policyCommands(program: Command, act: Act): void {
  const policy = program.command('policy').description('check the rules that limit payments');
  const add = (name: Deed, description: string): Command =>
    policy
      .command(name)
      .argument('<file>', 'the policy, YAML or JSON')
      .description(description)
      .option(...json)
      .action((file: string, flags: Flags) => act(flags, (call) => load()[name](file, call)));
  add('check', 'check a policy, and tell the line and the column of each fault');
  add('digest', 'print the digest of a policy and of its address files');
  const ofLedger = [
    '--ledger <place>',
    'the ledger’s file, or its postgres:// URL (as in STEADFAST_LEDGER)',
  ] as const;
  add('explain', 'tell which rule says what about an order, and who must approve; sends nothing')
    .option('--file <path>', 'the order as .json or .yaml, or else one transfer by its flags:')
    .option('--from <wallet>', 'the id or the address of the paying wallet')
    .option('--to <address>', 'the recipient')
    .option('--amount <amount>', 'in the units of the token, such as 12.50')
    .option('--token <token>', 'USDC, EURC, native or an address', 'USDC')
    .option('--order <kind>', 'the kind of order', 'transferStablecoin')
    .option('--signer <person>', 'the person of the policy who signs the order')
    .option(...ofLedger);
  add(
    'usage',
    'tell what each window has counted, what is open or unknown, and what is free',
  ).requiredOption(...ofLedger);
  add('release', 'give back what an unknown write holds, signed by one of the group operators')
    .requiredOption(...ofLedger)
    .requiredOption('--id <id>', 'the id of its order')
    .requiredOption('--target <write>', 'its step, item and generation, as in line/a#0')
    .option('--statement', 'print the text that is signed, and nothing else')
    .option('--key <file>', 'your SSH key (Ed25519), or its .pub with the key in the agent')
    .option('--signature <file>', 'a signature made elsewhere; its statement is beside it')
    .option('--yes', 'do not ask before signing');
}
