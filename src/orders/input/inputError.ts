import { types } from 'node:util';
import { systemFault } from './systemFault';

/** A flag, a file or a variable cannot be used. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** True for errors, also those of Node.js itself. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** The message of an error, or the text of any other value. */
export function messageOf(error: unknown): string {
  return systemFault(error) ?? (isError(error) ? error.message : String(error));
}
