import type { Command } from 'commander';
import type { Act } from '../call';
import { linesFlags } from '../commands/payout';
import { declareFlags, type Flags, idArgument, json, reason } from '../flags';

/** Adds the commands of people who approve, and of those who sign what they order. */
export function approvalCommands(program: Command, act: Act): void {
  const load = (): typeof import('./approve') => require('./approve');
  const shows = (): typeof import('./approvals') => require('./approvals');
  const approvals = program
    .command('approvals')
    .description('list orders that wait for people to approve them')
    .option(...json)
    .action((flags: Flags) => act(flags, (call) => shows().listApprovals(call)));
  approvals
    .command('show')
    .addArgument(idArgument())
    .description('show what an order asks people to sign')
    .option('--target <target>', 'of several lines that are asked about, the one that is meant')
    .option('--statement', 'print the text that is signed, and nothing else')
    .option('--names <file>', 'your own names of addresses: a CSV file with address and name')
    .action((id: string, flags: Flags) => act(flags, (call) => shows().showApproval(id, call)));
  const decide = (name: 'approve' | 'reject', description: string): Command => {
    const command = program
      .command(name)
      .addArgument(idArgument())
      .description(description)
      .option('--target <target>', 'of several lines that are asked about, the one that is meant')
      .option('--key <file>', 'your SSH key (Ed25519), or its .pub with the key in the agent')
      .option('--signature <file>', 'a signature made elsewhere; its statement is beside it')
      .option('--file <path>', 'your own copy of the order, which must say the same')
      .option('--names <file>', 'your own names of addresses: a CSV file with address and name')
      .option('--yes', 'do not ask before signing')
      .option(...json)
      .action((id: string, flags: Flags) => act(flags, (call) => load()[name](id, call)));
    declareFlags(command, linesFlags);
    return command;
  };
  decide('approve', 'sign what an order asks for');
  decide('reject', 'reject what an order asks for, which ends it').requiredOption(...reason);
  const request = program
    .command('request')
    .argument('<kind>', 'of the order, such as transferStablecoin')
    .addArgument(idArgument())
    .description('print the statement of an order, for its owner to sign (STEADFAST_ENTITY_ID)')
    .requiredOption('--file <path>', 'the order as .json or .yaml')
    .option('--lines <path>', 'the lines of a payout as .csv or .jsonl, where the order has none')
    .option('--hours <hours>', 'how long it lets something new be sent', '24')
    .action((kind: string, id: string, flags: Flags) =>
      act(flags, (call) => shows().request(kind, id, call)),
    );
  declareFlags(request, linesFlags);
}
