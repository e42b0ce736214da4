import { type KeyObject, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FoundKey } from './keys';

/** The finding on a signature. later: its key could not be looked up now. */
type Verdict = 'genuine' | 'forged' | 'unknownKey' | 'later';

/** ECDSA on P-256 in DER has 70 to 72 bytes, or few less. */
const signatureForm = /^[\w+/]{80,100}={0,2}$/;

/** Checks that the service has signed exactly this body. */
export async function verifyNotice(
  body: Buffer,
  headers: IncomingHttpHeaders,
  findKey: (id: string) => Promise<FoundKey>,
): Promise<Verdict> {
  const signature = String(headers['x-circle-signature'] ?? '');
  if (!signatureForm.test(signature)) return 'forged';
  const key = await findKey(String(headers['x-circle-key-id'] ?? ''));
  if (key === 'unknown') return 'unknownKey';
  if (key === 'later') return 'later';
  const isSigned = await verified(body, key, Buffer.from(signature, 'base64'));
  return isSigned ? 'genuine' : 'forged';
}

/** Verifies in Node's thread pool, so that the receiver reads on meanwhile. */
function verified(body: Buffer, key: KeyObject, signature: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    verify('sha256', body, key, signature, (error, isSigned) => resolve(!error && isSigned));
  });
}
