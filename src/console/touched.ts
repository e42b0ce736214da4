import { z } from 'zod';
import type { Signed } from '../orders/input/signed';
import {
  assertionOf,
  assertionText,
  challengeOf,
  ownerOf,
  type PasskeyPurpose,
} from '../writer/signing/assertion';
import { SignatureError } from '../writer/signing/sshSignature';
import type { ConsoleParts } from './parts';
import { passkeysOf } from './people';
import { Refusal } from './refusal';

/** The answer of a passkey, as the script of a page sends it. */
export const touched = z.strictObject({
  credentialId: z.base64url().max(2_000),
  authenticatorData: z.base64url(),
  clientDataJSON: z.base64url(),
  signature: z.base64url(),
});
export type Touched = z.output<typeof touched>;

type Touching = {
  person: string;
  purpose: Exclude<PasskeyPurpose, 'signIn'>;
  statement: string;
};

/** A challenge, the moment that it holds, and the passkeys that may answer it. */
export type Challenge = { challenge: string; at: string; credentialIds: string[] };

/**
 * Asks the passkeys of a person for a signature, at a moment or now. Throws a Refusal if they have
 * none here.
 */
export function challengeTo(
  { policy, origin }: Pick<ConsoleParts, 'policy' | 'origin'>,
  { person, purpose, statement, at = new Date().toISOString() }: Touching & { at?: string },
): Challenge {
  const passkeys = passkeysOf(policy().people, person, origin);
  if (passkeys.length === 0) {
    throw new Refusal(403, `The policy has no passkey of ${person} for this console.`);
  }
  const credentialIds = passkeys.map(({ credentialId }) => credentialId);
  return { at, challenge: challengeOf(statement, purpose, at), credentialIds };
}

/**
 * The signature that a passkey of a person has made. It is verified here only to say at once what
 * is wrong with it. Throws a Refusal.
 */
export function signedBy(
  { policy, origin }: Pick<ConsoleParts, 'policy' | 'origin'>,
  { person, purpose, statement, at, made }: Touching & { at: string; made: Touched },
): Signed {
  const { credentialId, ...answer } = made;
  const { people } = policy();
  const passkey = passkeysOf(people, person, origin).find(
    (one) => one.credentialId === credentialId,
  );
  if (passkey === undefined) {
    throw new Refusal(403, `This is no passkey of ${person} that decides.`);
  }
  const signature = assertionText({ at, publicKey: passkey.publicKey, ...answer });
  try {
    ownerOf(assertionOf({ statement, signature }, purpose), people);
    return { statement, signature };
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new Refusal(403, `Your passkey's answer cannot be used. ${error.message} Try again.`);
  }
}
