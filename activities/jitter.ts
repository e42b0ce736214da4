import { createHash } from 'node:crypto';

/** Delay before an order starts: at most `jitterMs`, and always the same for one id. */
export function jitterOf(orderId: string, jitterMs: number): number {
  const draw = createHash('sha256').update(orderId).digest().readUInt32BE();
  return Math.floor((draw / 2 ** 32) * jitterMs);
}
