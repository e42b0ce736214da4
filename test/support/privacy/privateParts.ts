import { randomBytes } from 'node:crypto';
import { type Privacy, readPrivacy } from '../../../src/client/privacy/privacy';

/** A key in the form that an operator writes. */
export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

/** The settings that an environment with these keys gives. */
export function privacyWith(...keys: string[]): Privacy {
  return readPrivacy('default', { STEADFAST_CODEC_KEYS: keys.join(',') });
}
