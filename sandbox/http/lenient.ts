import type { z } from 'zod';
import { isRecord } from '../../src/custody/isRecord';
import { fieldRefusal, valueIn } from '../errors/fieldFaults';

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
  const unknown = parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  if (unknown.length === 0) throw fieldRefusal(parsed.error, given);
  const known = structuredClone(given);
  for (const { path, keys } of unknown) removeFields(path.reduce(valueIn, known), keys);
  const { input, ignored } = parseKnown(schema, known);
  const names = unknown.flatMap(({ path, keys }) => keys.map((key) => [...path, key].join('.')));
  return { input, ignored: [...names, ...ignored] };
}

function removeFields(object: unknown, names: readonly string[]): void {
  if (isRecord(object)) for (const name of names) delete object[name];
}

/** The names of ignored fields that are kept. A client chooses how many there are, and how long. */
export function keptNames(ignored: readonly string[]): string[] {
  return ignored.slice(0, 50).map((name) => name.slice(0, 100));
}

/** The names of fields that were ignored, as a header tells them. */
export function shownNames(ignored: readonly string[]): string {
  return ignored.map((name) => (shownForm.test(name) ? name : '(hidden)')).join(', ');
}
