import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../custody/canonicalJson';
import type { Ends, Message } from './end';

type Keys = readonly Buffer[];

/** The headers of a message, as the Standard Webhooks specification says. */
export function signedHeaders({ id, body }: Message, keys: Keys, nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signatures = keys.map((key) => `v1,${hmac(key, `${id}.${timestamp}.${body}`)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * The seal of ends, which the worker of their order makes. A caller who reaches Temporal can start
 * the workflow that tells ends, but cannot make up any without a secret of the receiver.
 */
export function sealFor(ends: Ends, keys: Keys): string {
  const [first] = keys;
  if (first === undefined) throw new Error('keys: there is none.');
  return sealBy(first, ends);
}

/** True for ends that a worker with one of these keys has sealed. */
export function hasSeal({ seal, ...ends }: Ends & { seal: string }, keys: Keys): boolean {
  const given = Buffer.from(seal);
  return keys.some((key) => {
    const own = Buffer.from(sealBy(key, ends));
    return own.length === given.length && timingSafeEqual(own, given);
  });
}

function sealBy(key: Buffer, ends: Ends): string {
  return hmac(key, canonicalJson(['steadfast-ends', ends]));
}

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}
