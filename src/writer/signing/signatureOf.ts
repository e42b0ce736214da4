import type { Signed } from '../../orders/input/signed';
import { type Assertion, assertionOf, isAssertion } from './assertion';
import { SignatureError, signerOf } from './sshSignature';
import type { Purpose } from './statement';

/** A signature that was verified: its key, and the assertion if a passkey has made it. */
export type Signature = { publicKey: string; assertion?: Assertion };

/**
 * Checks a signature of a text for a purpose, by an SSH key or by a passkey. Only a policy tells
 * whose key it is. Throws a SignatureError.
 */
export function signatureOf(signed: Signed, purpose: Purpose): Signature {
  if (!isAssertion(signed)) return { publicKey: signerOf(signed, purpose) };
  if (purpose === 'finding') throw new SignatureError('A finding wants an SSH key.');
  const assertion = assertionOf(signed, purpose);
  return { publicKey: assertion.publicKey, assertion };
}
