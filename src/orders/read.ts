import type { z } from 'zod';
import { inWords } from './words';

/**
 * An order that cannot be carried out as written. Its message names each field, value and way out.
 */
export class BadOrderError extends Error {
  override readonly name = 'BadOrderError';
}

const shownCharactersMax = 80;

/** Checks an order against its schema; returns it normalised or throws a BadOrderError. */
export function readOrder<Schema extends z.ZodType>(
  schema: Schema,
  order: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(order, { error: inWords });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => sentence(issue, order));
  throw new BadOrderError(faults.join(' '));
}

function sentence(issue: z.core.$ZodIssue, order: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const extra = issue.keys.map((key) => naming([...issue.path, key], order));
    return `${extra.join(', ')} has no place in this order; leave it out.`;
  }
  if (issue.path.length === 0) return `The order ${issue.message}.`;
  return `${naming(issue.path, order)} ${issue.message}.`;
}

/** The field and its value, as the subject of a sentence. */
function naming(path: readonly PropertyKey[], order: unknown): string {
  const value = path.reduce<unknown>(
    (inner, key) => (isRecord(inner) ? inner[String(key)] : undefined),
    order,
  );
  return `${path.map(String).join('.')}: ${value === undefined ? 'is missing; it' : shown(value)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}
