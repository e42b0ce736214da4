import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { NotificationKey } from '../../src/custody/objects/subscription';
import type { Secrets } from '../config/secrets';
import { derivedId } from '../store/records/derivedId';

/** A key on P-256 as PEM, and since when it is used. */
export type SigningKey = Secrets['notificationKey'];

/** Signs what is sent to webhooks. */
export type NoticeSigner = ReturnType<typeof createSigner>;

/** ECDSA on P-256 over the SHA-256 of the raw body, in DER. */
export function createSigner({ privateKey, createDate }: SigningKey) {
  const key = createPrivateKey(privateKey);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const id = derivedId(`notification key ${publicKey}`);
  return {
    /** As its readers find it, by the id that each notice names. */
    publicKey: { id, algorithm: 'ECDSA_SHA_256', publicKey, createDate } satisfies NotificationKey,
    /** The headers that go with this very text. */
    headers: (body: string) => ({
      'X-Circle-Key-Id': id,
      'X-Circle-Signature': sign('sha256', Buffer.from(body), key).toString('base64'),
    }),
  };
}
