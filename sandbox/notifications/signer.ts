import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { NotificationKey } from '../../src/custody/objects/subscription';
import type { Secrets } from '../config/secrets';
import { derivedId } from '../store/records/derivedId';

/** A key on P-256 as PEM, and since when it is used. */
export type SigningKey = Secrets['notificationKey'];

/** Signs what is sent to webhooks. */
export type Signer = {
  /** As its readers find it, by the id that each notice names. */
  publicKey: NotificationKey;
  /** The headers that go with this very text. */
  headers(body: string): Record<string, string>;
};

/** ECDSA on P-256 over the SHA-256 of the raw body, in DER. */
export function createSigner({ privateKey, createDate }: SigningKey): Signer {
  const key = createPrivateKey(privateKey);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const id = derivedId(`notification key ${publicKey}`);
  return {
    publicKey: { id, algorithm: 'ECDSA_SHA_256', publicKey, createDate },
    headers: (body) => ({
      'X-Circle-Key-Id': id,
      'X-Circle-Signature': sign('sha256', Buffer.from(body), key).toString('base64'),
    }),
  };
}
