import { createPublicKey, type KeyObject } from 'node:crypto';

/** A passkey of a person, as a line of the policy names it. */
export type Passkey = {
  /** Base64 of the key as SubjectPublicKeyInfo. */
  publicKey: string;
  /** The address of the console that it was made at. Its relying party is the host of that. */
  origin: string;
  /** The browser finds the passkey by this id. It is base64url. */
  credentialId: string;
};

const kind = 'passkey';
const modulusBitsMin = 2_048;
/** The exponent of each device. The check of a signature takes a second with a huge one. */
const usualExponent = 65_537n;

/** A passkey as one line: "passkey <key> <origin> <id>". */
export function passkeyLine({ publicKey, origin, credentialId }: Passkey): string {
  return [kind, publicKey, origin, credentialId].join(' ');
}

/** True for a line that means a passkey, whether or not it is whole. */
export function isPasskeyLine(line: string): boolean {
  return line.startsWith(`${kind} `);
}

/** True for the line of a key of that kind. Undefined means any. */
export function isOfKind(line: string, wanted: 'ssh' | 'passkey' | undefined): boolean {
  return wanted === undefined || isPasskeyLine(line) === (wanted === 'passkey');
}

/** Reads the line of a passkey. Returns undefined for any other line, and for one with a fault. */
export function readPasskey(line: string): Passkey | undefined {
  const [word, publicKey = '', origin = '', credentialId = '', ...more] = line.split(' ');
  if (word !== kind || more.length > 0 || !/^[\w-]{8,1400}$/.test(credentialId)) return undefined;
  if (keyIn(publicKey) === undefined || !isOriginOfPasskeys(origin)) return undefined;
  return { publicKey, origin, credentialId };
}

/**
 * The public key of a passkey: P-256, or RSA of 2,048 bits and more with the exponent 65537.
 * Undefined for any other.
 */
export function keyIn(publicKey: string): KeyObject | undefined {
  try {
    const der = Buffer.from(publicKey, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    // One key has one name here.
    const own = key.export({ format: 'der', type: 'spki' }).toString('base64');
    return own === publicKey && isAccepted(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

function isAccepted({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'ec') return details?.namedCurve === 'prime256v1';
  if (type !== 'rsa' || details?.publicExponent !== usualExponent) return false;
  return (details.modulusLength ?? 0) >= modulusBitsMin;
}

/** True for an origin where browsers make passkeys: over TLS, or on their own machine. */
export function isOriginOfPasskeys(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return origin === text && (protocol === 'https:' || hostname === 'localhost');
}
