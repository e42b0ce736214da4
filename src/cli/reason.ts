import { InputError } from './exit';
import type { Flags } from './orderCommand';

/** The reason that somebody has to give, for whoever reads it later. */
export function reasonOf({ reason }: Flags): string {
  const given = String(reason).trim();
  if (given !== '') return given;
  throw new InputError('--reason: is empty. Say why, for whoever reads this later.');
}
