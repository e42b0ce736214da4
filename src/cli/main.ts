import { CommanderError } from 'commander';
import { type ExitCode, exitCodes, isBadInput } from './exit';
import { createProgram } from './program';
import { createVoice, errorLine } from './voice';

/** The command line: parses the arguments, runs one command, and ends with its exit code. */
async function main(): Promise<void> {
  let code: ExitCode | undefined;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync();
  } catch (error) {
    code = codeOf(error);
  }
  // A Temporal connection that still polls would keep the process; a server process goes on.
  if (code !== undefined) process.exit(code);
}

function codeOf(error: unknown): ExitCode {
  const voice = createVoice(process.argv.includes('--json'));
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return exitCodes.done;
  // Commander has said its own sentences already.
  if (!isUsage) voice.note(errorLine(message));
  const isCallers = isUsage || isBadInput(error);
  voice.document({ end: isCallers ? 'badInput' : 'broken', message });
  return isCallers ? exitCodes.badInput : exitCodes.failed;
}

void main();
