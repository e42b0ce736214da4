import { randomBytes } from 'node:crypto';
import { type Privacy, readPrivacy } from '../../../src/privacy/privacy';

/** A key as an operator writes it. */
export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

/** What the environment would say with these keys. */
export function privacyWith(...keys: string[]): Privacy {
  return readPrivacy('default', { STEADFAST_CODEC_KEYS: keys.join(',') });
}
