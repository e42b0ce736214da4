import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  timingSafeEqual,
} from 'node:crypto';
import { fault, type Side } from './errors';
import type { Secrets } from './secrets';
import type { Store } from './store';

/** Decides who may call: the API key on every call, the entity secret on signed ones. */
export type Auth = {
  /** Throws a 401 unless the header carries the API key, plain or as base64. */
  checkApiKey(header: string | undefined, side: Side): void;
  /** Throws unless the ciphertext holds the entity secret and was never seen before. */
  checkCiphertext(ciphertext: unknown, side: Side): void;
  /** PEM with the hosted service's armour, "RSA PUBLIC KEY" around an SPKI body. */
  publicKey: string;
};

const keyForm = /^(TEST|LIVE)_API_KEY:[^:\s]+:[^:\s]+$/;

export function createAuth(secrets: Secrets, store: Pick<Store, 'seeCiphertext'>): Auth {
  const privateKey = createPrivateKey(secrets.privateKey);
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const publicKey = spki.replace(/ PUBLIC KEY/g, ' RSA PUBLIC KEY');
  const entitySecret = Buffer.from(secrets.entitySecret, 'hex');

  const holdsSecret = (ciphertext: string): boolean => {
    try {
      const plain = privateDecrypt(
        { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
        Buffer.from(ciphertext, 'base64'),
      );
      return plain.length === entitySecret.length && timingSafeEqual(plain, entitySecret);
    } catch {
      return false;
    }
  };

  return {
    publicKey,
    checkApiKey: (header, side) => {
      const given = plainKey(header?.match(/^Bearer (\S+)$/)?.[1] ?? '');
      if (!keyForm.test(given)) throw fault('malformedKey');
      if (!sameText(given, secrets.apiKey)) throw fault('unknownKey', side);
    },
    checkCiphertext: (ciphertext, side) => {
      if (typeof ciphertext !== 'string' || !holdsSecret(ciphertext)) {
        throw fault('secretInvalid', side);
      }
      const hash = createHash('sha256').update(Buffer.from(ciphertext, 'base64')).digest('hex');
      if (!store.seeCiphertext(hash)) throw fault('ciphertextReused', side);
    },
  };
}

function plainKey(key: string): string {
  return keyForm.test(key) ? key : Buffer.from(key, 'base64').toString('utf8');
}

/** Compares without telling by its duration how much of the text was right. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
