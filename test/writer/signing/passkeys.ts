import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import {
  assertionText,
  challengeOf,
  type PasskeyPurpose,
} from '../../../src/writer/signing/assertion';
import { passkeyLine } from '../../../src/writer/signing/passkey';

export const consoleOrigin = 'https://console.example.org';

/** The words of an authenticator and its browser about one touch. */
export type Touch = {
  at?: string;
  /** The page that asks. */
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  /** User present (1) and user verified (4). */
  flags?: number;
  /** The challenge that a page gives, where it gives another one than it should. */
  challenge?: string;
};

export type TestPasskey = ReturnType<typeof testPasskey>;

/**
 * An authenticator in software: real keys, and real assertions in the form of WebAuthn. It signs
 * whatever it is told, also what no browser would.
 */
export function testPasskey({
  origin: own = consoleOrigin,
  keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}: {
  origin?: string;
  keys?: { publicKey: KeyObject; privateKey: KeyObject };
} = {}) {
  const credentialId = randomBytes(16).toString('base64url');
  const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  /** The answer to a challenge, as a browser gives it. */
  const answer = (challenge: string, how: Touch = {}) => {
    const { origin = own, flags = 5, crossOrigin = false, type = 'webauthn.get' } = how;
    const { rpId = new URL(origin).hostname } = how;
    const client = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
    const data = Buffer.concat([sha256(rpId), Buffer.from([flags]), Buffer.alloc(4)]);
    const signature = signBytes('sha256', Buffer.concat([data, sha256(client)]), keys.privateKey);
    return {
      credentialId,
      authenticatorData: data.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      signature: signature.toString('base64url'),
    };
  };
  const touch = (statement: string, purpose: PasskeyPurpose, how: Touch = {}) => {
    const { at = new Date().toISOString() } = how;
    const { challenge = challengeOf(statement, purpose, at) } = how;
    const { credentialId: _, ...made } = answer(challenge, how);
    return { statement, signature: assertionText({ at, publicKey, ...made }) };
  };
  return {
    publicKey: passkeyLine({ publicKey, origin: own, credentialId }),
    answer,
    touch,
    /** The words of a browser about the passkey that it has made. */
    made: (challenge: string, how: Touch = {}) => {
      const { signature: _, ...told } = answer(challenge, { type: 'webauthn.create', ...how });
      return { ...told, publicKey };
    },
    sign: async (statement: string, purpose: Exclude<PasskeyPurpose, 'signIn'>) =>
      touch(statement, purpose),
  };
}

function sha256(of: string | Buffer): Buffer {
  return createHash('sha256').update(of).digest();
}
