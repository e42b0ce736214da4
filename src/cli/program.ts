import { Command } from 'commander';
import { version } from '../../package.json';
import { answersCommands } from './answers/answersCommands';
import { approvalCommands } from './approval/approvalCommands';
import type { Act } from './call';
import { closeCommands } from './close/closeCommands';
import { askingCommands, serviceCommands } from './commands/asking';
import { deployCommand } from './commands/deploy';
import { executeCommand } from './commands/execute';
import { fundCommand } from './commands/fund';
import { mintCommand } from './commands/mint';
import { processCommands } from './commands/processes';
import { provisionCommand } from './commands/provision';
import { sweepCommand } from './commands/sweep';
import { transferCommand } from './commands/transfer';
import { completionCommand } from './completion/completionCommand';
import { consoleCommands } from './console/consoleCommands';
import { findCommands } from './find/findCommands';
import { controlCommands } from './order/controlCommands';
import type { OrderCommand } from './order/fields';
import { orderCommand } from './order/orderCommand';
import { payoutCommand } from './payout/payoutCommand';
import { policyCommands } from './policy/policyCommands';
import { receiptCommands } from './receipt/receiptCommands';
import { scheduleCommands } from './schedule/scheduleCommands';
import type { Terminal } from './show/voice';
import { statementCommands } from './statement/statementCommand';
import { webhooksCommands } from './webhooks/webhooksCommands';

const endings = `
Exit codes: 0 done · 1 refused, failed or cancelled · 2 bad input or configuration
            3 unknown or needs the operator · 4 stopped waiting, the workflow goes on

Temporal is found by TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE (and the other TEMPORAL_* variables).
"steadfast dev" starts everything on this machine and prints what to export.`;

/** Adds the commands of a group. Each calls `act`, which runs it. */
type Add = (program: Command, act: Act, env: NodeJS.ProcessEnv) => void;

/** The one table of commands: each group under its heading, in the order of --help. */
const groups: readonly (readonly [heading: string, ...adds: Add[]])[] = [
  ['Run it:', (program, _, env) => processCommands(program, env)],
  [
    'Start an order:',
    ...[
      deployCommand,
      transferCommand,
      mintCommand,
      executeCommand,
      fundCommand,
      sweepCommand,
      provisionCommand,
    ].map(starting),
  ],
  ['Start many:', payoutCommand, scheduleCommands],
  ['Look at orders, and find them:', askingCommands, findCommands],
  ['Control an order:', controlCommands],
  ['Rules, and people who approve:', policyCommands, approvalCommands, consoleCommands],
  ['Books:', receiptCommands, statementCommands, closeCommands],
  ['Everything around it:', webhooksCommands, answersCommands, serviceCommands, completionCommand],
];

function starting(order: OrderCommand): Add {
  return (program, act) => orderCommand(program, order, act);
}

/** The program with all commands. */
export function createProgram(act: Act, { env, stdout, stderr }: Terminal = process): Command {
  const program = new Command('steadfast')
    .description('Contract deployments and stablecoin transfers, each made once.')
    .addHelpText('after', endings)
    .version(version, '--version', 'print the version')
    .option('--debug', 'with an error, print where it came from')
    .configureHelp({ showGlobalOptions: true })
    // Set before the commands are added, which inherit it. Errors are reported by run().
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => {},
    })
    .exitOverride();
  for (const [heading, ...adds] of groups) {
    program.commandsGroup(heading);
    for (const add of adds) add(program, act, env);
  }
  return program;
}
