import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../config/secrets';
import { fault, type Side } from '../errors/errors';
import { readBase64 } from '../handlers/entitySecret';

export type CheckApiKey = (header: string | undefined, side: Side) => void;

const keyForm = /^(TEST|LIVE)_API_KEY:[^:\s]+:[^:\s]+$/;

/**
 * Throws unless the header carries the API key, plain or as base64. The same key with LIVE in
 * front is known, but belongs to another environment than this test chain.
 */
export function createKeyCheck({ apiKey }: Pick<Secrets, 'apiKey'>): CheckApiKey {
  const liveTwin = apiKey.replace(/^TEST/, 'LIVE');
  return (header, side) => {
    const given = plainKey(header?.match(/^Bearer (\S+)$/)?.[1] ?? '');
    if (!keyForm.test(given)) throw fault('malformedKey');
    if (sameText(given, liveTwin)) throw fault('wrongEnvironment', side);
    if (!sameText(given, apiKey)) throw fault('unknownKey', side);
  };
}

function plainKey(key: string): string {
  return keyForm.test(key) ? key : (readBase64(key)?.toString('utf8') ?? '');
}

/** Compares without telling by its duration how much of the text was right. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
