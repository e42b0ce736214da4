import { constants, createHash, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto';

/**
 * Reads the service's public key. The hosted one is armoured as "RSA PUBLIC KEY" while its body is
 * SPKI, so the armour is not believed: both bodies are tried.
 */
export function readPublicKey(pem: string): KeyObject {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, ''), 'base64');
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return createPublicKey({ key: der, format: 'der', type: 'pkcs1' });
  }
}

/** SHA-256 of a public key in its SPKI form, in hex. */
export function publicKeySha256(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex');
}

/**
 * Encrypts the entity secret (64 hex characters) for one request: RSA-OAEP with SHA-256 over the 32
 * raw bytes, base64. The padding is random, so each ciphertext is new, as the service demands.
 */
export function encryptEntitySecret(entitySecret: string, publicKey: KeyObject): string {
  return publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(entitySecret, 'hex'),
  ).toString('base64');
}
