import { Command, Option } from 'commander';
import { version } from '../../package.json';
import { bundle } from './commands/bundle';
import { codec } from './commands/codec';
import { deploy } from './commands/deploy';
import { dev } from './commands/dev';
import { doctor } from './commands/doctor';
import { execute } from './commands/execute';
import { fund } from './commands/fund';
import { list } from './commands/list';
import { mint } from './commands/mint';
import { provision } from './commands/provision';
import { rate } from './commands/rate';
import { sandbox } from './commands/sandbox';
import { status } from './commands/status';
import { sweep } from './commands/sweep';
import { transfer } from './commands/transfer';
import { watch } from './commands/watch';
import { worker } from './commands/worker';
import { controlCommands } from './controlCommands';
import type { ExitCode } from './exit';
import { idArgument } from './idArgument';
import { type Flags, orderCommand } from './orderCommand';
import { payoutCommand } from './payoutCommand';
import { scheduleCommands } from './scheduleCommands';

const endings = `
Exit codes: 0 done · 1 refused, failed or cancelled · 2 bad input or configuration
            3 unknown or needs the operator · 4 stopped waiting, the workflow goes on

Temporal is found by TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE (and the other TEMPORAL_* variables).
"steadfast dev" starts everything on this machine and prints what to export.`;

/** All commands; `ended` is told the exit code of a command that has one to tell. */
export function createProgram(ended: (code: ExitCode) => void): Command {
  const program = new Command('steadfast')
    .description('Contract deployments and stablecoin transfers, each made once.')
    .addHelpText('after', endings)
    .version(version, '--version', 'print the version')
    .option('--debug', 'with an error, print where it came from')
    .configureHelp({ showGlobalOptions: true })
    // Set before the commands are added: they take it over. Errors are told in our own sentences.
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  processCommands(program);
  for (const order of [deploy, transfer, mint, execute, fund, sweep, provision]) {
    orderCommand(program, order, ended);
  }
  payoutCommand(program, ended);
  program
    .command('status')
    .addArgument(idArgument())
    .description(status.summary)
    .option('--json', 'print one JSON document and nothing else')
    .action(async (id: string, flags: Flags) => ended(await status.run(id, flags)));
  program
    .command('watch')
    .addArgument(idArgument())
    .description(watch.summary)
    .option('--json', 'print one JSON document at the end, and nothing else')
    .action(async (id: string, flags: Flags) => ended(await watch.run(id, flags)));
  program
    .command('list')
    .description(list.summary)
    .option('--status <status>', 'such as Unknown, NeedsOperator, Paused, Settling')
    .option('--kind <kind>', 'such as transferStablecoin')
    .option('--limit <count>', 'at most so many', '50')
    .option('--json', 'print one JSON document and nothing else')
    .action(async (flags: Flags) => ended(await list.run(flags)));
  controlCommands(program, ended);
  scheduleCommands(program, ended);
  program
    .command('rate')
    .description(rate.summary)
    .option('--writes <rate>', 'a number a second, off (no limit) or default (as workers start)')
    .option('--reads <rate>', 'the same for reads')
    .option('--json', 'print one JSON document and nothing else')
    .action(async (flags: Flags) => ended(await rate.run(flags)));
  program
    .command('doctor')
    .description(doctor.summary)
    .addOption(new Option('--rpc <url>', 'the chain to read receipts from').env('CHAIN_RPC_URL'))
    .option('--fix', 'register search attributes that are missing; all else stays as it is')
    .option('--json', 'print one JSON document and nothing else')
    .action(async (flags: Flags) => ended(await doctor.run(flags)));
  return program;
}

/** What runs until Ctrl-C, and what prepares it. */
function processCommands(program: Command): void {
  program.command(dev.name).description(dev.summary).action(dev.run);
  program
    .command(sandbox.name)
    .description(sandbox.summary)
    .option('--host <address>', 'where it listens (default 127.0.0.1)')
    .option('--port <port>', 'the same; 0 takes any free one (default 4010)')
    .option('--data-dir <folder>', 'keep its state in there; without one it is gone at the end')
    .option('--snapshot <file>', 'begin from a snapshot, where nothing is kept yet')
    .option('--states <words>', 'of transactions: interface (default) or hosted, all ten of them')
    .option('--settle-ms <ms>', 'from acceptance to COMPLETE (default 2000)')
    .option('--rate-limit <limit>', 'hosted (default) or off')
    .action(sandbox.run);
  program.command(codec.name).description(codec.summary).action(codec.run);
  program
    .command(worker.name)
    .description(worker.summary)
    .option('--role <roles...>', 'only a part of its work: workflows, reads, writes')
    .action(worker.run);
  program
    .command(bundle.name)
    .argument('<file>')
    .description(bundle.summary)
    .option('--private', 'for workers whose payloads are private (STEADFAST_CODEC_KEYS)')
    .action(bundle.run);
}
