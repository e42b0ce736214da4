import type { Endpoint } from '../../src/custody/endpoints';
import { faults } from './codes';

/** A refusal as the service words it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: number;
  readonly errors: readonly FieldFault[] | undefined;

  constructor(
    message: string,
    facts: { status: number; code: number; errors?: readonly FieldFault[] },
  ) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors;
  }
}

/** One entry of `errors` in a validation answer. */
export type FieldFault = {
  error: string;
  message: string;
  location: string;
  invalidValue: string;
  constraints: Record<string, never>;
};

/** The wallets side and the contract side word the same faults with codes of their own. */
export type Side = 'wallets' | 'contracts';

export function sideOf({ path }: Pick<Endpoint, 'path'>): Side {
  return /^\/(templates|contracts)/.test(path) ? 'contracts' : 'wallets';
}

type FaultName = keyof typeof faults;

/** The error of a named fault, in the words of the side of the service that meets it. */
export function fault(name: FaultName, side: Side = 'wallets', detail?: string): ApiError {
  const entry = faults[name];
  const row = typeof entry === 'string' ? entry : entry[side];
  const [, status, code, message = ''] = row.match(/^(\d+) (\d+) (.*)$/) ?? [];
  const words = detail === undefined ? message : `${message.replace(/\.$/, '')}: ${detail}`;
  return new ApiError(words, { status: Number(status), code: Number(code) });
}

/** The record that was looked for. Throws the fault that says it is not there. */
export function found<Row>(row: Row | undefined, name: FaultName, side?: Side): Row {
  if (row === undefined) throw fault(name, side);
  return row;
}

/** A 400 that names the faulty fields, as the service does before it looks at anything else. */
export function invalid(errors: readonly FieldFault[]): ApiError {
  return new ApiError('API parameter invalid', { status: 400, code: 2, errors });
}
