import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../config/secrets';
import { fault, type Side } from '../errors/errors';
import { type EntitySecret, readBase64 } from '../handlers/entitySecret';

/** Decides who may call: the API key on every call, the entity secret on signed ones. */
export type Auth = {
  /**
   * Throws unless the header carries the API key, plain or as base64. The same key with LIVE in
   * front is known, but belongs to another environment than this test chain.
   */
  checkApiKey(header: string | undefined, side: Side): void;
  takeCiphertext: EntitySecret['take'];
};

const keyForm = /^(TEST|LIVE)_API_KEY:[^:\s]+:[^:\s]+$/;

export function createAuth({ apiKey }: Pick<Secrets, 'apiKey'>, entitySecret: EntitySecret): Auth {
  const liveTwin = apiKey.replace(/^TEST/, 'LIVE');
  return {
    checkApiKey: (header, side) => {
      const given = plainKey(header?.match(/^Bearer (\S+)$/)?.[1] ?? '');
      if (!keyForm.test(given)) throw fault('malformedKey');
      if (sameText(given, liveTwin)) throw fault('wrongEnvironment', side);
      if (!sameText(given, apiKey)) throw fault('unknownKey', side);
    },
    takeCiphertext: entitySecret.take,
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
