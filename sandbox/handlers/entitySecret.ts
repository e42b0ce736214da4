import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  publicEncrypt,
  timingSafeEqual,
  webcrypto,
} from 'node:crypto';
import { type Secrets, unregistered } from '../config/secrets';
import { fault, type Side } from '../errors/errors';
import type { Store } from '../store/store';

export type EntitySecret = ReturnType<typeof createEntitySecret>;

type Records = Pick<Store, 'seeCiphertext' | 'setting' | 'setSetting' | 'atomically'>;

/** The store keeps the hash of a registered secret, and not the secret. */
const setting = 'entitySecretHash';
const secretBytes = 32;

/** The secret behind signed calls. Each call carries it encrypted afresh. */
export function createEntitySecret(
  secrets: Pick<Secrets, 'privateKey' | 'entitySecret'>,
  store: Records,
) {
  const spki = createPublicKey(secrets.privateKey);
  const pem = spki.export({ type: 'spki', format: 'pem' }).toString();
  const decrypt = createDecryption(secrets.privateKey);
  const given = secrets.entitySecret;
  const configured = given === unregistered ? undefined : hashOf(Buffer.from(given, 'hex'));
  const registered = () => configured ?? store.setting(setting);

  // Looks and takes in one step, so that of two requests with one ciphertext one is refused.
  const see = (ciphertext: Buffer, side: Side): void => {
    if (!store.seeCiphertext(hashOf(ciphertext))) throw fault('ciphertextReused', side);
  };

  return {
    /** PEM with the hosted service's armour, "RSA PUBLIC KEY" around an SPKI body. */
    publicKey: pem.replace(/ PUBLIC KEY/g, ' RSA PUBLIC KEY'),
    /**
     * Accepts a ciphertext once. Rejects unless it holds the entity secret and was never accepted
     * before. Then it is used up, even if the request fails later. A request that is refused
     * earlier, such as for a faulty field, does not use it up. Without a registered secret all are
     * refused.
     */
    take: async (text: unknown, side: Side): Promise<void> => {
      const hash = registered();
      if (hash === undefined) throw fault('secretNotSet', side);
      const ciphertext = readBase64(text);
      const plain = ciphertext && (await decrypt(ciphertext));
      if (ciphertext === undefined || plain === undefined || !isOf(plain, hash)) {
        throw fault('secretInvalid', side);
      }
      see(ciphertext, side);
    },
    /**
     * Makes what the ciphertext holds the entity secret, once and for good, and returns the
     * recovery file in base64. Rejects where there is one already (156015).
     */
    register: async (text: string): Promise<string> => {
      const ciphertext = readBase64(text);
      const plain = ciphertext && (await decrypt(ciphertext));
      // Looked at in the commit, so that of two that arrive together one is refused.
      return store.atomically(() => {
        if (registered() !== undefined) throw fault('secretAlreadySet');
        if (ciphertext === undefined || plain?.length !== secretBytes) throw fault('secretInvalid');
        see(ciphertext, 'wallets');
        store.setSetting(setting, hashOf(plain));
        return recoveryFile(plain, pem);
      });
    },
  };
}

function isOf(plain: Buffer, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(plain)), Buffer.from(hash));
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Only who has the service's key can read it. As a ciphertext it is of no use. */
function recoveryFile(secret: Buffer, key: string): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const content = Buffer.concat([Buffer.from('recovery '), secret]);
  return publicEncrypt({ key, padding, oaepHash: 'sha256' }, content).toString('base64');
}

/** In the thread pool: one decryption takes milliseconds, which nobody else should wait for. */
function createDecryption(privateKey: string): (bytes: Buffer) => Promise<Buffer | undefined> {
  const cipher = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const pkcs8 = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' });
  const decryptionKey = webcrypto.subtle.importKey('pkcs8', pkcs8, cipher, false, ['decrypt']);
  // The first decryption reports a key that cannot be read. Until then nobody listens.
  decryptionKey.catch(() => {});
  return async (bytes) => {
    const key = await decryptionKey;
    return webcrypto.subtle.decrypt(cipher, key, bytes).then(
      (plain) => Buffer.from(plain),
      () => undefined,
    );
  };
}

/** The bytes of standard base64 with its padding. Undefined for anything else. */
export function readBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
