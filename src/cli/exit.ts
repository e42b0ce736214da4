import { temporalFault } from '../client/temporal/temporalFault';
import { UnreachableError } from '../client/temporal/unreachableError';
import { InputError, isError, messageOf } from '../orders/input/inputError';

export { InputError, isError, messageOf, UnreachableError };

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

/** Compared by name: importing the classes would load the schemas before --help can print. */
const badInputErrors: readonly string[] = [
  'InputError',
  'BadOrderError',
  'ConfigError',
  'PolicyError',
  'LedgerError',
  'ArchiveError',
  'BookError',
  'RatesError',
  'UnreachableError',
  'StatementError',
];

/** The sentence of an error, which says what to mend. */
export function sentenceOf(error: unknown): string {
  return (isError(error) ? temporalFault(error) : undefined) ?? messageOf(error);
}

/** True for an error that needs no stack trace. */
export function isBadInput(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isOfPort = 'syscall' in error && error.syscall === 'listen';
  return isOfPort || badInputErrors.includes(error.name) || temporalFault(error) !== undefined;
}
