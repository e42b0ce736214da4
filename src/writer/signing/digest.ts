import { createHash } from 'node:crypto';

/** A short name of a signature, so that its signer finds the verdict about it. */
export function signatureDigest(signature: string): string {
  return createHash('sha256').update(signature.trim()).digest('hex').slice(0, 16);
}
