import { createHash } from 'node:crypto';
import type { Made } from './invitations';

/** A short number over both passkeys. Their owner reads it to the owner of the policy. */
export function digitsOf({ signIn, approval }: Made): string {
  const hash = createHash('sha256').update(`${signIn}\n${approval}\n`).digest('hex');
  return hash.slice(0, 16).match(/.{4}/g)?.join('-') ?? '';
}
