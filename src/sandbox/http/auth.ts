import {
  createHash,
  createPrivateKey,
  createPublicKey,
  timingSafeEqual,
  webcrypto,
} from 'node:crypto';
import { fault, type Side } from '../errors';
import type { Secrets } from '../secrets';
import type { Store } from '../store/store';

/** Decides who may call: the API key on every call, the entity secret on signed ones. */
export type Auth = {
  /**
   * Throws unless the header carries the API key, plain or as base64. The same key with LIVE in
   * front is known, but belongs to another environment than this test chain.
   */
  checkApiKey(header: string | undefined, side: Side): void;
  /**
   * Rejects unless the ciphertext holds the entity secret and was never taken before. From then on
   * it is used, whatever becomes of the request; a request that is refused before this, such as one
   * with a faulty field, has not used it.
   */
  takeCiphertext(ciphertext: unknown, side: Side): Promise<void>;
  /** PEM with the hosted service's armour, "RSA PUBLIC KEY" around an SPKI body. */
  publicKey: string;
};

const keyForm = /^(TEST|LIVE)_API_KEY:[^:\s]+:[^:\s]+$/;

export function createAuth(secrets: Secrets, store: Pick<Store, 'seeCiphertext'>): Auth {
  const privateKey = createPrivateKey(secrets.privateKey);
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  const publicKey = spki.replace(/ PUBLIC KEY/g, ' RSA PUBLIC KEY');
  const entitySecret = Buffer.from(secrets.entitySecret, 'hex');
  const liveTwin = secrets.apiKey.replace(/^TEST/, 'LIVE');
  // In the thread pool: one decryption takes milliseconds, which nobody else should wait for.
  const cipher = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const decryptionKey = webcrypto.subtle.importKey(
    'pkcs8',
    privateKey.export({ type: 'pkcs8', format: 'der' }),
    cipher,
    false,
    ['decrypt'],
  );
  // Whoever decrypts learns of a key that cannot be read; until then nobody listens.
  decryptionKey.catch(() => {});

  const holdsSecret = async (ciphertext: Buffer): Promise<boolean> => {
    const key = await decryptionKey;
    const plain = await webcrypto.subtle.decrypt(cipher, key, ciphertext).then(
      (bytes) => Buffer.from(bytes),
      () => undefined,
    );
    return plain?.length === entitySecret.length && timingSafeEqual(plain, entitySecret);
  };

  return {
    publicKey,
    checkApiKey: (header, side) => {
      const given = plainKey(header?.match(/^Bearer (\S+)$/)?.[1] ?? '');
      if (!keyForm.test(given)) throw fault('malformedKey');
      if (sameText(given, liveTwin)) throw fault('wrongEnvironment', side);
      if (!sameText(given, secrets.apiKey)) throw fault('unknownKey', side);
    },
    takeCiphertext: async (given, side) => {
      const ciphertext = readBase64(given);
      if (ciphertext === undefined || !(await holdsSecret(ciphertext))) {
        throw fault('secretInvalid', side);
      }
      // Looks and takes in one step, so that of two requests with one ciphertext one is refused.
      const hash = createHash('sha256').update(ciphertext).digest('hex');
      if (!store.seeCiphertext(hash)) throw fault('ciphertextReused', side);
    },
  };
}

function plainKey(key: string): string {
  return keyForm.test(key) ? key : (readBase64(key)?.toString('utf8') ?? '');
}

/** The bytes of standard base64 with its padding; undefined for any other text. */
function readBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** Compares without telling by its duration how much of the text was right. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
