import { createHash } from 'node:crypto';
import { batchStep } from './batch';
import { readableOf } from './readable';

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
  const hash = sha256([parts.workflowId, parts.step, parts.item, parts.generation]);
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/**
 * The reference of a write in the service's permanent list, by which a write is found when all else
 * has been forgotten. It has a readable tail, 16 hex digits of the parts, and the generation.
 */
export function refId(parts: KeyParts): string {
  const readable = readableOf(parts);
  const group = parts.step === batchStep ? `${batchesHash(parts.workflowId)}.b ` : '';
  return `${readable} ${group}${refHash(parts)}.g${parts.generation}`;
}

/**
 * The hash in the references of all batches of a payout. A batch of which nothing else is known is
 * found by it.
 */
export function batchesHash(workflowId: string): string {
  return refHash({ workflowId, step: batchStep, item: '' });
}

/** The part of a refId that all generations of one write share. */
export function refHash(parts: Omit<KeyParts, 'generation'>): string {
  return sha256([parts.workflowId, parts.step, parts.item]).slice(0, 16);
}

/** A write by what all its generations share, and its generation. */
export type Reference = { hash: string; generation: number };

/** Reads the hash and the generation in a reference. Undefined for any other text. */
export function readReference(reference: string | undefined): Reference | undefined {
  const [, hash, generation] = reference?.match(/(?:^| )([0-9a-f]{16})\.g(\d{1,9})$/) ?? [];
  return hash === undefined ? undefined : { hash, generation: Number(generation) };
}

/** Reads the hash of all batches of a payout in the reference of one. Undefined for other texts. */
export function readBatches(reference: string | undefined): string | undefined {
  return reference?.match(/ ([0-9a-f]{16})\.b [0-9a-f]{16}\.g\d{1,9}$/)?.[1];
}

/**
 * Reads the write that a reference names, whole: its hash proves the parts. Undefined for any other
 * text, and where an id is so long that its beginning was cut off.
 */
export function readNamedWrite(
  reference: string | undefined,
): Omit<KeyParts, 'generation'> | undefined {
  const named = readReference(reference);
  const [, workflowId = '', step = '', item = ''] =
    reference?.match(/^([^ ]+) ([^/ ]+)\/(.+?)(?: [0-9a-f]{16}\.b)? [0-9a-f]{16}\.g\d+$/) ?? [];
  const parts = { workflowId, step, item };
  return named !== undefined && refHash(parts) === named.hash ? parts : undefined;
}

function sha256(value: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
