import { constants, createPublicKey, type KeyObject, privateDecrypt } from 'node:crypto';
import { encryptEntitySecret } from '../../src/custody/entitySecret';

const durationMs = 1_000;
const secret = 'ab'.repeat(32);

/** Measures how many ciphertexts of signed calls one core decrypts per second. */
export function decryptionsPerS(privateKey: KeyObject): number {
  const ciphertext = Buffer.from(
    encryptEntitySecret(secret, createPublicKey(privateKey)),
    'base64',
  );
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < durationMs) {
    privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      ciphertext,
    );
    count += 1;
  }
  return (count * 1_000) / (performance.now() - start);
}
