import { types } from 'node:util';
import { temporalFault } from '../temporal/temporalFault';

/** The exit codes of all commands. Scripts depend on them. */
export const exitCodes = {
  done: 0,
  /** The order was refused, failed or cancelled, or a process of ours broke. */
  failed: 1,
  /** Bad input or configuration. Nothing was started. */
  badInput: 2,
  /** The outcome is unknown, or an operator must act. The workflow goes on. */
  needsOperator: 3,
  /** The command stopped waiting. The workflow goes on. */
  stoppedWaiting: 4,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A flag, a file or a variable cannot be used. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Temporal cannot be reached. Nothing was asked of it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Compared by name: importing the classes would load the schemas before --help can print. */
const badInputErrors: readonly string[] = [
  'InputError',
  'BadOrderError',
  'ConfigError',
  'PolicyError',
  'LedgerError',
  'ArchiveError',
  'UnreachableError',
  'StatementError',
];

/** True for errors, also those of Node.js itself. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** The message of an error, or the text of any other value. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** The sentence of an error, which says what to mend. */
export function sentenceOf(error: unknown): string {
  return (isError(error) ? temporalFault(error) : undefined) ?? messageOf(error);
}

/** True for an error that needs no stack trace. */
export function isBadInput(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return badInputErrors.includes(error.name) || temporalFault(error) !== undefined;
}
