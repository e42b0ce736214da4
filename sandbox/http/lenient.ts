import type { z } from 'zod';
import { isRecord } from '../../src/custody/isRecord';
import { fieldRefusal } from '../errors/fieldFaults';

/** Values of calls, which may be null. */
const freeFields = ['abiParameters', 'constructorParameters', 'parameters'];
/** A name that may stand in a header: no secret in the wrong place, and nothing that is long. */
const shownForm = /^[\w.-]{1,40}$/;

/** The fields without those that are null, at any depth. The hosted service takes null for absent. */
export function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, freeFields.includes(name) ? value : withoutNullsIn(value)]),
  );
}

function withoutNullsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsIn);
  return isRecord(value) ? withoutNulls(value) : value;
}

/** The fields by their own names, where one is written in other letters' case. */
export function inOwnCase(
  fields: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> {
  const ownName = (given: string): string => {
    if (names.includes(given)) return given;
    const name = names.find((one) => one.toLowerCase() === given.toLowerCase());
    return name === undefined || Object.hasOwn(fields, name) ? given : name;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [ownName(name), value]));
}

/** The input as its schema reads it, without the fields that the schema does not have. */
export function parseKnown<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): { input: z.output<Schema>; ignored: string[] } {
  const parsed = schema.safeParse(given);
  if (parsed.success) return { input: parsed.data, ignored: [] };
  const unknown = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
  if (unknown.length === 0) throw fieldRefusal(parsed.error, given);
  const { input, ignored } = parseKnown(schema, unknown.reduce(withoutPath, given));
  return { input, ignored: [...unknown.map((path) => path.join('.')), ...ignored] };
}

function withoutPath(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, at) => (at === Number(key) ? withoutPath(item, rest) : item));
  }
  if (!isRecord(value)) return value;
  const { [String(key)]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [String(key)]: withoutPath(inner, rest) };
}

/** The names of fields that were ignored, as a header tells them. */
export function shownNames(ignored: readonly string[]): string {
  const names = ignored.slice(0, 50).map((name) => (shownForm.test(name) ? name : '(hidden)'));
  return names.join(', ');
}
