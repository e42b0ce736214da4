import { temporalFault } from '../temporalFault';

/** What the exit code of every command means. Scripts depend on it. */
export const exitCodes = {
  done: 0,
  /** Refused, failed or cancelled; also a process of ours that broke. */
  failed: 1,
  /** Bad input or configuration: nothing was started. */
  badInput: 2,
  /** The outcome is unknown, or somebody has to mend something; the workflow goes on. */
  needsOperator: 3,
  /** We stopped waiting; the workflow goes on. */
  stoppedWaiting: 4,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something the caller typed, or the environment says, that cannot be used. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Temporal is not where the environment says, or not there now. Nothing was asked of it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Compared by name: importing the classes would load the schemas before --help can print. */
const badInputErrors: readonly string[] = [
  'InputError',
  'BadOrderError',
  'ConfigError',
  'UnreachableError',
];

/** What went wrong, as a sentence that names what to mend. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return temporalFault(error) ?? error.message;
}

/** Whether the sentence of an error is all that the caller needs to see. */
export function isBadInput(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return badInputErrors.includes(error.name) || temporalFault(error) !== undefined;
}
