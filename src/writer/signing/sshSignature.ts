import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Signed } from '../../orders/input/signed';
import { type Purpose, purposes } from './statement';

/** A signature that is none, or of another text, key or purpose. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const begin = '-----BEGIN SSH SIGNATURE-----';
const end = '-----END SSH SIGNATURE-----';
const magic = 'SSHSIG';
const keyType = 'ssh-ed25519';
/** A key on a hardware token, which wants a touch for each signature. */
const tokenKeyType = 'sk-ssh-ed25519@openssh.com';
const keyBytes = 32;
const touched = 1;
const hashes = ['sha256', 'sha512'];

/**
 * Checks an SSH signature (PROTOCOL.sshsig of OpenSSH) of a text for a purpose. Returns the public
 * key that made it, as base64 of its wire form. Throws a SignatureError. Only Ed25519 is accepted.
 */
export function signerOf({ statement, signature }: Signed, purpose: Purpose): string {
  const blob = reader(unarmoured(signature));
  if (blob.raw(magic.length).toString() !== magic || blob.number() !== 1) {
    throw new SignatureError('It is not an SSH signature of version 1.');
  }
  const key = blob.field();
  const namespace = blob.text();
  const reserved = blob.field();
  const hash = blob.text();
  const made = reader(blob.field());
  blob.end();
  if (namespace !== purposes[purpose]) {
    throw new SignatureError(`It is for ${namespace || 'nothing'}, not for ${purposes[purpose]}.`);
  }
  if (!hashes.includes(hash))
    throw new SignatureError(`Its hash ${hash} is none of ${hashes.join(', ')}.`);
  const digest = createHash(hash).update(statement).digest();
  const signed = Buffer.concat([
    Buffer.from(magic),
    ...[Buffer.from(namespace), reserved, Buffer.from(hash), digest].map(asField),
  ]);
  const { type, publicKey, application } = publicKeyOf(key);
  const isOurs = made.text() === type;
  const bytes = made.field();
  const message = type === tokenKeyType ? asToken(made.raw(5), application, signed) : signed;
  made.end();
  if (!isOurs || !verify(null, message, publicKey, bytes)) {
    throw new SignatureError('It does not fit the statement.');
  }
  return key.toString('base64');
}

/** The key in an Ed25519 public key as OpenSSH writes it, and the application of a token's key. */
function publicKeyOf(key: Buffer) {
  const fields = reader(key);
  const type = fields.text();
  if (type !== keyType && type !== tokenKeyType) {
    throw new SignatureError(`Its key is neither of ${keyType} nor of ${tokenKeyType}.`);
  }
  const bytes = fields.field();
  const application = type === tokenKeyType ? fields.field() : Buffer.alloc(0);
  fields.end();
  if (bytes.length !== keyBytes) {
    throw new SignatureError(
      `Its key has ${bytes.length} bytes, and one of Ed25519 has ${keyBytes}.`,
    );
  }
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return { type, publicKey: createPublicKey({ key: jwk, format: 'jwk' }), application };
}

/** The text that a token signs (PROTOCOL.u2f of OpenSSH). Somebody must have touched it. */
function asToken(flagsAndCounter: Buffer, application: Buffer, signed: Buffer): Buffer {
  if ((flagsAndCounter.readUInt8(0) & touched) === 0) {
    throw new SignatureError('Nobody has touched the token that made it.');
  }
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  return Buffer.concat([digest(application), flagsAndCounter, digest(signed)]);
}

function unarmoured(signature: string): Buffer {
  const lines = signature.trim().split(/\r?\n/);
  if (lines.at(0) !== begin || lines.at(-1) !== end) {
    throw new SignatureError(`It does not stand between "${begin}" and "${end}".`);
  }
  return Buffer.from(lines.slice(1, -1).join(''), 'base64');
}

function asField(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads the fields of SSH's wire form, one after the other. */
function reader(bytes: Buffer) {
  let at = 0;
  const raw = (length: number): Buffer => {
    if (at + length > bytes.length) throw new SignatureError('It ends too early.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (): number => raw(4).readUInt32BE();
  const field = (): Buffer => raw(number());
  return {
    raw,
    number,
    field,
    text: () => field().toString(),
    end: () => {
      if (at < bytes.length) throw new SignatureError('Something stands behind its end.');
    },
  };
}
