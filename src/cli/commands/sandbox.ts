import type { Command } from 'commander';

/** Adds the command that runs the sandbox as a process of its own. */
export function sandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('run the sandbox of the wallet service (SANDBOX_* variables), until Ctrl-C')
    .option('--host <address>', 'where it listens (default 127.0.0.1)')
    .option('--port <port>', 'its port, or 0 for any free one (default 4010)')
    .option('--data-dir <folder>', 'keep its state there, which is otherwise lost at the end')
    .option('--snapshot <file>', 'begin from a snapshot, where nothing is kept yet')
    .option('--states <words>', 'of transactions: interface (default) or hosted, all ten of them')
    .option('--settle-ms <ms>', 'from acceptance to COMPLETE (default 2000)')
    .option('--rate-limit <limit>', 'hosted (default) or off')
    .option('--tls', 'serve https, with a certificate of its own whose path is printed')
    .action(async (flags: Record<string, string | true>) => {
      // Only this command loads the sandbox. Everything else talks to it over HTTP.
      const {
        runSandbox,
      }: typeof import('../../../sandbox/service/run') = require('../../../sandbox/service/run');
      await runSandbox(flags);
    });
}
