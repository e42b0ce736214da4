import { constants, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto';
import { encryptEntitySecret, readPublicKey } from '../../src/custody/entitySecret';

const entitySecret = '00ff10'.padEnd(64, 'ab');
// As long as the hosted service's own.
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 4_096 });

describe('the entity secret', () => {
  it('is encrypted as its 32 raw bytes, with RSA-OAEP and SHA-256', () => {
    expect(decrypted(encryptEntitySecret(entitySecret, publicKey))).toBe(entitySecret);
  });

  it('is a new ciphertext each time, since the service takes each one once', () => {
    const ciphertexts = Array.from({ length: 5 }, () =>
      encryptEntitySecret(entitySecret, publicKey),
    );
    expect(new Set(ciphertexts).size).toBe(5);
  });

  it('is 684 characters of base64, as with the hosted 4,096-bit key', () => {
    expect(encryptEntitySecret(entitySecret, publicKey)).toMatch(/^[A-Za-z0-9+/]{683}=$/);
  });

  it.each([
    ['"PUBLIC KEY" around SPKI', pem('PUBLIC KEY', 'spki')],
    ['"RSA PUBLIC KEY" around SPKI, as the hosted service has it', pem('RSA PUBLIC KEY', 'spki')],
    ['"RSA PUBLIC KEY" around PKCS#1', pem('RSA PUBLIC KEY', 'pkcs1')],
    ['Windows line ends', pem('PUBLIC KEY', 'spki').replaceAll('\n', '\r\n')],
  ])('is encrypted with a key that comes as %s', (_armour, text) => {
    expect(decrypted(encryptEntitySecret(entitySecret, readPublicKey(text)))).toBe(entitySecret);
  });
});

function pem(armour: string, type: 'spki' | 'pkcs1'): string {
  const body = exported(publicKey, type)
    .toString('base64')
    .replace(/(.{64})/g, '$1\n');
  return `-----BEGIN ${armour}-----\n${body}\n-----END ${armour}-----\n`;
}

function exported(key: KeyObject, type: 'spki' | 'pkcs1'): Buffer {
  return key.export({ type, format: 'der' });
}

function decrypted(ciphertext: string): string {
  return privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(ciphertext, 'base64'),
  ).toString('hex');
}
