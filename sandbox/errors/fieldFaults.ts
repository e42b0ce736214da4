import type { z } from 'zod';
import { isRecord } from '../../src/custody/isRecord';
import { type ApiError, type FieldFault, invalid } from './errors';

const faultsMax = 50;
const shownCharactersMax = 100;
/** An entity secret, a ciphertext, an API key, or its base64. */
const secretForm = /[0-9a-fA-F]{64}|[\w+/-]{300}|_API_KEY:|VEVTVF9BUElfS0VZ|TElWRV9BUElfS0VZ/;

/** The input as its schema reads it. Otherwise the refusal that names every faulty field. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw fieldRefusal(parsed.error, given);
}

/** The refusal that names every faulty field of an input. */
export function fieldRefusal({ issues }: z.ZodError, given: unknown): ApiError {
  const faults = issues.flatMap((issue) => {
    const { message, path } = issue;
    if (issue.code !== 'unrecognized_keys') return [fieldFault({ given, path, message })];
    return issue.keys.map((key) => unknownField(given, [...path, key]));
  });
  return invalid(faults.slice(0, faultsMax));
}

/** The fault of a field that the interface does not have at this place. */
export function unknownField(given: unknown, path: readonly PropertyKey[]): FieldFault {
  return fieldFault({ given, path, message: `Unrecognized key: "${shown(String(path.at(-1)))}"` });
}

type Fault = { given: unknown; path: readonly PropertyKey[]; message: string };

/** Has the value as it was given, as JSON: `"null"` where there was none. */
function fieldFault({ given, path, message }: Fault): FieldFault {
  const value = path.reduce(valueIn, given);
  return {
    error: value === undefined ? 'required' : 'invalid',
    message,
    location: shown(path.join('.')),
    invalidValue: value === undefined ? 'null' : shownValue(path, value),
    constraints: {},
  };
}

/** The refusal of one field of an input. */
export function invalidField(given: unknown, field: string, message: string): ApiError {
  return invalid([fieldFault({ given, path: [field], message })]);
}

/** The value of a field, or of a place in a list. Undefined where there is none. */
export function valueIn(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
}

function shownValue(path: readonly PropertyKey[], value: unknown): string {
  return /secret|ciphertext/i.test(path.join('.')) ? hidden : shown(JSON.stringify(value));
}

const hidden = '(hidden)';

/** Short, and without anything that could be a secret in the wrong place. */
function shown(text: string): string {
  if (secretForm.test(text)) return hidden;
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}
