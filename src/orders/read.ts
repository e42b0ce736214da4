import type { z } from 'zod';

/** An order that cannot be carried out as written. Its message names each field, value and way out. */
export class BadOrderError extends Error {
  override readonly name = 'BadOrderError';
}

const shownCharactersMax = 80;

/** Checks an order against its schema; returns it normalised or throws a BadOrderError. */
export function readOrder<Schema extends z.ZodType>(
  schema: Schema,
  order: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(order);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => sentence(issue, order));
  throw new BadOrderError(faults.join(' '));
}

function sentence(issue: z.core.$ZodIssue, order: unknown): string {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const place = field === '' ? 'the order' : field;
    return `${issue.keys.join(', ')}: ${place} has no such field.`;
  }
  const value = issue.path.reduce<unknown>(
    (inner, key) => (isRecord(inner) ? inner[String(key)] : undefined),
    order,
  );
  if (field === '') return `The order ${issue.message}.`;
  return value === undefined
    ? `${field}: is missing, or ${lowerFirst(issue.message)}.`
    : `${field}: ${shown(value)} ${lowerFirst(issue.message)}.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
