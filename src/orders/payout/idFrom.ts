import { createHash } from 'node:crypto';
import { canonicalJson } from '../../custody/canonicalJson';

const digits = 16;

/** The id of an order that was given none. It follows from what is wanted, so it comes again. */
export function idFrom(wish: unknown): string {
  return createHash('sha256').update(canonicalJson(wish)).digest('hex').slice(0, digits);
}
