import { Command, CommanderError } from 'commander';
import { sandboxCommand } from './commands/sandbox';
import { exitCodes, isBadInput, sentenceOf } from './exit';
import { errorLine } from './show/voice';
import { usageSentence } from './usage';

/** The program of the package that has the sandbox alone: one command, which is the whole CLI's. */
async function main(args: readonly string[]): Promise<void> {
  const program = new Command('steadfast')
    .description('A sandbox of the wallet service, on a chain of its own.')
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  sandboxCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return;
    const isCallers = isUsage || isBadInput(error);
    process.exitCode = isCallers ? exitCodes.badInput : exitCodes.failed;
    // The help is printed already.
    if (isUsage && error.code === 'commander.help') return;
    const message = isUsage ? usageSentence(error, program, args) : sentenceOf(error);
    process.stderr.write(`${errorLine(message)}\n`);
  }
}

void main(process.argv.slice(2));
