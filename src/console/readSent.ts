import type { z } from 'zod';
import { isRecord } from '../custody/isRecord';
import { shown } from '../orders/input/shown';
import { Refusal } from './refusal';

/** Reads what a page has sent. Throws a Refusal that names the field and its value. */
export function readSent<Schema extends z.ZodType>(schema: Schema, body: unknown) {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const { path = [], message = 'is wrong' } = read.error.issues[0] ?? {};
  const value = path.reduce<unknown>(
    (at, field) => (isRecord(at) ? at[String(field)] : undefined),
    body,
  );
  const field = path.join('.') || 'The body';
  // A whole file says nothing to its reader.
  const isTold = ['string', 'number', 'boolean'].includes(typeof value) && /\S/.test(`${value}`);
  const told = isTold && `${value}`.length <= 1_000 ? ` ${shown(value)}:` : '';
  throw new Refusal(400, `${field}:${told} ${message}. Nothing was done.`);
}
