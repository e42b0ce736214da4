import { type Command, CommanderError } from 'commander';
import { type ExitCode, exitCodes, isBadInput, sentenceOf, UnreachableError } from './exit';
import { createProgram } from './program';
import { usageSentence } from './usage';
import { createVoice, errorLine } from './voice';

/**
 * Who reads us may leave early, as "head" does. There is nobody to tell anything more, and an order
 * goes on without us: that is no failure of it.
 */
function leaveWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(exitCodes.stoppedWaiting);
    });
  }
}

/** The command line: parses the arguments, runs one command, and ends with its exit code. */
async function main(): Promise<void> {
  leaveWithReader();
  let code: ExitCode | undefined;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync();
  } catch (error) {
    code = codeOf(error, program);
  }
  // A Temporal connection that still polls would keep the process; a server process goes on.
  if (code !== undefined) process.exit(code);
}

function codeOf(error: unknown, program: Command): ExitCode {
  const args = process.argv.slice(2);
  const voice = createVoice(args.includes('--json'));
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return exitCodes.done;
  // The help has been printed, which says it all.
  if (isUsage && error.code === 'commander.help') return exitCodes.badInput;
  const message = isUsage ? usageSentence(error, program, args) : sentenceOf(error);
  voice.note(errorLine(message));
  if (args.includes('--debug')) for (const trace of tracesOf(error)) voice.note(trace);
  const isCallers = isUsage || isBadInput(error);
  const isAway = error instanceof UnreachableError;
  voice.document({ end: isAway ? 'unreachable' : isCallers ? 'badInput' : 'broken', message });
  return isCallers ? exitCodes.badInput : exitCodes.failed;
}

/** Where an error came from, and what caused it: stack traces alone, for their fields may be secret. */
function tracesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [error.stack ?? error.message, ...tracesOf(error.cause)];
}

void main();
