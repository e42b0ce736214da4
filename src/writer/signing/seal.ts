import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { canonicalJson } from '../../custody/canonicalJson';
import { uuidOf } from '../../custody/idempotencyKey';
import type { Grounds, Seal } from '../../custody/objects/grounds';

/** A new key of a ledger, as text. It stays in the ledger. */
export function newSealKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** The id of the ledger with a key. It follows from the key, so that no other ledger has it. */
export function ledgerIdOf(sealKey: string): string {
  return idOf(publicKeyOf(sealKey));
}

/** Grounds with the seal of a ledger: they are those of the write with that idempotency key. */
export function sealed(sealKey: string, key: string, grounds: Grounds): Grounds {
  const publicKey = publicKeyOf(sealKey);
  const signature = sign(null, textOf(key, grounds), privateOf(sealKey)).toString('base64url');
  return { ...grounds, seal: { ledger: idOf(publicKey), publicKey, signature } };
}

/** True for grounds that the ledger with their id has sealed for that idempotency key. */
export function isSealed(key: string, { seal, ...grounds }: Grounds): boolean {
  if (seal === undefined || idOf(seal.publicKey) !== seal.ledger) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: seal.publicKey };
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(null, textOf(key, grounds), publicKey, Buffer.from(seal.signature, 'base64url'));
  } catch {
    return false;
  }
}

/** Tells grounds that one of these ledgers has sealed for an idempotency key. */
export function countedSeals(
  ledgers: readonly string[],
): (key: string, grounds: Grounds) => boolean {
  return (key, grounds) =>
    ledgers.some((id) => id === grounds.seal?.ledger) && isSealed(key, grounds);
}

function idOf(publicKey: Seal['publicKey']): string {
  return uuidOf(['steadfast-ledger', publicKey]);
}

function textOf(key: string, { seal: _, ...grounds }: Grounds): Buffer {
  return Buffer.from(canonicalJson(['steadfast-grounds', key, grounds]));
}

function privateOf(sealKey: string) {
  return createPrivateKey({
    key: Buffer.from(sealKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
}

function publicKeyOf(sealKey: string): string {
  return String(createPublicKey(privateOf(sealKey)).export({ format: 'jwk' }).x);
}
