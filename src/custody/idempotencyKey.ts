import { createHash } from 'node:crypto';

/**
 * The parts that identify a write: the workflow, its step, the item within the step, and the
 * generation. Only an operator's decision raises the generation. No part of a run, a worker or an
 * attempt is in it.
 */
export type KeyParts = { workflowId: string; step: string; item: string; generation: number };

/**
 * The idempotency key of a write: SHA-256 of the parts as a JSON array, in the shape of a UUID v4.
 * An array, since joined strings collide: "a:b" and "c" would be "a" and "b:c".
 */
export function idempotencyKey(parts: KeyParts): string {
  const { workflowId, step, item, generation } = parts;
  return uuidOf([workflowId, step, item, generation]);
}

/** SHA-256 of texts and numbers as a JSON array, in the shape of a UUID v4. */
export function uuidOf(parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
