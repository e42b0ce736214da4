import type { z } from 'zod';
import { Refusal } from './refusal';

/** Reads what a page has sent. Throws a Refusal that names the field. */
export function readSent<Schema extends z.ZodType>(schema: Schema, body: unknown) {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const { path = [], message = 'is wrong' } = read.error.issues[0] ?? {};
  throw new Refusal(400, `${path.join('.') || 'The body'}: ${message}. Nothing was done.`);
}
