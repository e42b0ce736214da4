import { createHash } from 'node:crypto';
import { batchStep } from './batch';
import type { KeyParts } from './idempotencyKey';
import { readableOf } from './readable';

/** Length of a name that the service is known to keep. */
const nameMax = 100;

/** A write, whatever its generation. */
type Named = Omit<KeyParts, 'generation'>;

/** A write by what all its generations share, and its generation. */
export type Reference = { hash: string; generation: number };

/** The write that a reference names. */
export type NamedWrite = Reference & {
  /** The id of the order. Only its end where the reference has cut it. */
  workflowId: string;
  step: string;
  item: string;
  /** True if the hash proves the id, the step and the item. */
  isWhole: boolean;
  /** The hash of all batches of its payout. Undefined for a write that is no batch. */
  batches?: string | undefined;
};

/**
 * The reference of a write in the service's permanent list, by which a write is found when all else
 * has been forgotten. It has a readable tail, 16 hex digits of the parts, and the generation. No
 * text can imitate what follows the tail, since the tail has one space, and no other.
 */
export function refId(parts: KeyParts): string {
  const { workflowId, step } = parts;
  const group = step === batchStep ? [`${batchesHash(workflowId)}.b`] : [];
  return [readableOf(parts), ...group, codeOf(parts)].join(' ');
}

/** The end of a reference, which alone decides. The name of a wallet set ends with it too. */
export function codeOf(parts: KeyParts): string {
  return wordOf({ hash: refHash(parts), generation: parts.generation });
}

/** The name of a wallet set: the ordered one, as far as the service keeps it, and the code. */
export function walletSetName(ordered: string, parts: KeyParts): string {
  const code = codeOf(parts);
  return `${ordered.slice(0, nameMax - code.length - 1)} ${code}`;
}

/** The labels of new wallets. Each has the write's reference and its number. */
export function walletLabels(count: number, refId: string): { name: string; refId: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `wallet ${index + 1}`, refId }));
}

/** A reference without its readable part. A generation that is no number makes it that of nothing. */
export function wordOf({ hash, generation }: Reference): string {
  return `${hash}.g${String(generation).replace(/\D/g, '_')}`;
}

/**
 * The hash in the references of all batches of a payout. A batch of which nothing else is known is
 * found by it.
 */
export function batchesHash(workflowId: string): string {
  return refHash({ workflowId, step: batchStep, item: '' });
}

/** The part of a reference that all generations of one write share. */
export function refHash({ workflowId, step, item }: Named): string {
  const json = JSON.stringify([workflowId, step, item]);
  return createHash('sha256').update(json).digest('hex').slice(0, 16);
}

/** Reads the hash and the generation in a reference. Undefined for any other text. */
export function readReference(reference: string | undefined): Reference | undefined {
  const [, hash, generation] = reference?.match(/(?:^| )([0-9a-f]{16})\.g(\d{1,9})$/) ?? [];
  return hash === undefined ? undefined : { hash, generation: Number(generation) };
}

/** The readable part, which a long id has lost the beginning of, and perhaps the batches' hash. */
const form = /^(?:(.*) )?([^/ ]*)\/([^ ]*)(?: ([0-9a-f]{16})\.b)? [0-9a-f]{16}\.g\d{1,9}$/;

/** Reads the write that a reference of ours names. Undefined for any other text. */
export function readWrite(reference: string | undefined): NamedWrite | undefined {
  const read = readReference(reference);
  if (read === undefined) return undefined;
  const [, workflowId = '', step = '', item = '', group] = form.exec(reference ?? '') ?? [];
  const isWhole = workflowId !== '' && refHash({ workflowId, step, item }) === read.hash;
  const isBatch = step === batchStep && !(isWhole && group !== batchesHash(workflowId));
  return { workflowId, step, item, isWhole, batches: isBatch ? group : undefined, ...read };
}

/** Reads the hash of all batches of a payout in the reference of one. Undefined for other texts. */
export function readBatches(reference: string | undefined): string | undefined {
  return readWrite(reference)?.batches;
}

/** True for the reference of a batch, whose lines only its payout knows. */
export function isOfBatch(reference: string | undefined): boolean {
  return readBatches(reference) !== undefined;
}
