import type { Connected } from './connect';
import type { ExitCode } from './exit';
import type { Flags } from './flags';
import type { Interruption } from './interruption';
import type { Terminal, Voice } from './show/voice';

/** One call of a command: its flags, its output, its connection and its interruption. */
export type Call = {
  flags: Flags;
  /** The words of the command line, after the program's name. */
  args: readonly string[];
  terminal: Terminal;
  voice: Voice;
  /** Connects to Temporal as the environment says. The connection is closed after the call. */
  connect(): Promise<Connected>;
  interruption(): Interruption;
};

/** Runs a command that was parsed, and reports its exit code. */
export type Act = (
  flags: Flags,
  command: (call: Call) => Promise<ExitCode> | ExitCode,
) => Promise<void> | void;
