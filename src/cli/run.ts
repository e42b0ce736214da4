import { type Command, CommanderError } from 'commander';
import { tracesOf } from '../orders/input/sentenceError';
import type { Call } from './call';
import type { Connected } from './connect';
import { type ExitCode, exitCodes, isBadInput, sentenceOf, UnreachableError } from './exit';
import { type Interruption, interruption } from './interruption';
import { createProgram } from './program';
import { createVoice, errorLine, noteLines, type Terminal } from './show/voice';
import { usageSentence } from './usage';

/** Runs one command and returns its exit code: undefined when it runs until a signal ends it. */
export async function run(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  const opened: (Connected | Interruption)[] = [];
  const keep = <One extends Connected | Interruption>(one: One): One => {
    opened.push(one);
    return one;
  };
  let code: ExitCode | undefined;
  const program = createProgram(async (flags, command) => {
    const call: Call = {
      flags,
      args,
      terminal,
      voice: createVoice(terminal, flags.json === true),
      connect: async () => {
        // Only commands that ask Temporal load its client, which is slow.
        const { connect }: typeof import('./connect') = require('./connect');
        return keep(await connect(terminal));
      },
      interruption: () => keep(interruption()),
    };
    code = await command(call);
  }, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    code = codeOf(error, { program, args, terminal });
  }
  if (code !== undefined) for (const one of opened) await closed(one);
  return code;
}

async function closed(one: Connected | Interruption): Promise<void> {
  if ('connection' in one) await one.connection.close();
  else one.end();
}

function codeOf(
  error: unknown,
  { program, args, terminal }: { program: Command; args: readonly string[]; terminal: Terminal },
): ExitCode {
  const voice = createVoice(terminal, args.includes('--json'));
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return exitCodes.done;
  // The help is printed already.
  if (isUsage && error.code === 'commander.help') return exitCodes.badInput;
  const message = isUsage ? usageSentence(error, program, args) : sentenceOf(error);
  noteLines(voice, errorLine(message));
  if (args.includes('--debug')) for (const trace of tracesOf(error)) noteLines(voice, trace);
  const isCallers = isUsage || isBadInput(error);
  const isAway = error instanceof UnreachableError;
  // Compared by name, since its class would load the client.
  const isWaiting = error instanceof Error && error.name === 'StillRunningError';
  const other = isWaiting ? 'stoppedWaiting' : 'broken';
  voice.document({ end: isAway ? 'unreachable' : isCallers ? 'badInput' : other, message });
  if (isWaiting) return exitCodes.stoppedWaiting;
  return isCallers ? exitCodes.badInput : exitCodes.failed;
}
