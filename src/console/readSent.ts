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
  const isBlank = ['undefined', 'object'].includes(typeof value) || String(value).trim() === '';
  const told = isBlank ? '' : ` ${shown(value)}:`;
  throw new Refusal(400, `${field}:${told} ${message}. Nothing was done.`);
}
