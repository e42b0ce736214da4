import { isRecord } from '../../src/custody/isRecord';
import { ApiError } from '../errors/errors';
import { invalidEntity } from './jsonBody';

/** The result of a call. */
export type Answer = {
  status: number;
  /** The service's code, where it is a refusal. */
  code?: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** The names of fields of the call that the interface does not have. */
  ignored?: readonly string[];
};

/** The answer to a call that has failed. What went wrong in the sandbox itself is a 500. */
export function refused(error: unknown): Answer {
  const { status, code, message, errors } = asApiError(error);
  return { status, code, body: { code, message, ...(errors === undefined ? {} : { errors }) } };
}

/**
 * Refusals of the HTTP framework in the service's form. The framework's own words are not passed
 * on.
 */
const words: Readonly<Record<number, string>> = {
  404: 'Resource not found',
  413: 'Request body is too large',
  415: 'Unsupported media type',
};

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Looks at what an error has, not at its class: Node's own may be of another realm.
  const status = isRecord(error) && 'statusCode' in error ? Number(error.statusCode) : 500;
  const message = words[status];
  if (message !== undefined) return new ApiError(message, { status, code: status });
  if (status < 500) return invalidEntity();
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return new ApiError('Something went wrong', { status: 500, code: 500 });
}
