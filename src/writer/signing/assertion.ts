import { createHash, verify } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../custody/canonicalJson';
import { jsonIn } from '../../custody/isRecord';
import type { Signed } from '../../orders/input/signed';
import { keyIn, readPasskey } from './passkey';
import { SignatureError } from './sshSignature';
import { purposes } from './statement';

/** The purposes of a passkey. Each has challenges of its own, so that none stands for another. */
const passkeyPurposes = {
  request: purposes.request,
  approval: purposes.approval,
  rejection: purposes.rejection,
  signIn: 'steadfast-sign-in',
} as const;
export type PasskeyPurpose = keyof typeof passkeyPurposes;

/** The answer of a passkey, in the place of a signature. All but `at` is as the browser gives it. */
const assertion = z.strictObject({
  /** The moment at which the passkey was asked. UTC. The challenge holds it. */
  at: z.iso.datetime(),
  authenticatorData: z.base64url().max(1_000),
  clientDataJSON: z.base64url().max(1_400),
  /** Base64 of SubjectPublicKeyInfo. */
  publicKey: z.base64().max(1_000),
  signature: z.base64url().max(1_000),
});
type AssertionText = z.output<typeof assertion>;

/** An assertion that was verified. */
export type Assertion = {
  publicKey: string;
  /** The address of the page that asked. */
  origin: string;
  atMs: number;
  /** It differs for each statement, purpose and moment. */
  challenge: string;
};

const clientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.url(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});

/** The bytes of authenticator data: the digest of the relying party, the flags, the counter. */
const headBytes = 37;
const flagsAt = 32;
const isPresent = 0x01;
const isVerified = 0x04;

/**
 * The challenge of a passkey, as base64url: SHA-256 of the canonical JSON of purpose, statement and
 * moment. So a passkey signs the whole statement.
 */
export function challengeOf(statement: string, purpose: PasskeyPurpose, at: string): string {
  return sha256(canonicalJson([passkeyPurposes[purpose], statement, at])).toString('base64url');
}

/** An assertion in the form in which it stands for a signature. */
export function assertionText(made: AssertionText): string {
  return canonicalJson(made);
}

/** True for a signature that means to be an assertion of a passkey. */
export function isAssertion({ signature }: Pick<Signed, 'signature'>): boolean {
  return signature.startsWith('{');
}

/**
 * Checks an assertion (WebAuthn) of a statement for a purpose. Its user was verified, its page was
 * in no frame, and its relying party is the host of its page. The caller compares key and origin
 * with those that are known. Throws a SignatureError.
 */
export function assertionOf({ statement, signature }: Signed, purpose: PasskeyPurpose): Assertion {
  const { at, publicKey, ...made } = readText(signature);
  const challenge = challengeOf(statement, purpose, at);
  const origin = passkeyOrigin(made, { type: 'webauthn.get', challenge });
  const key = keyIn(publicKey);
  if (key === undefined) throw new SignatureError('Its key is neither P-256 nor RSA.');
  const client = sha256(bytesOf(made.clientDataJSON));
  const signed = Buffer.concat([bytesOf(made.authenticatorData), client]);
  if (!verify('sha256', signed, key, bytesOf(made.signature))) {
    throw new SignatureError('It does not fit its key.');
  }
  return { publicKey, origin, atMs: Date.parse(at), challenge };
}

/**
 * The origin of the page that a passkey was used or made on. Throws a SignatureError where another
 * challenge was asked, or where the page was in a frame. It also throws where its host is not the
 * relying party, and where the device has not verified its user.
 */
export function passkeyOrigin(
  {
    authenticatorData,
    clientDataJSON,
  }: Pick<AssertionText, 'authenticatorData' | 'clientDataJSON'>,
  { type, challenge }: { type: 'webauthn.get' | 'webauthn.create'; challenge: string },
): string {
  const client = readClient(bytesOf(clientDataJSON));
  if (client.type !== type) throw new SignatureError(`It is ${client.type}, not ${type}.`);
  if (client.challenge !== challenge) {
    throw new SignatureError('It does not fit the statement and the purpose.');
  }
  if (client.crossOrigin === true || client.topOrigin !== undefined) {
    throw new SignatureError('It was made in a page inside another one.');
  }
  refuseUnverified(bytesOf(authenticatorData), client.origin);
  return client.origin;
}

/**
 * The person with the passkey that has made an assertion. Throws a SignatureError for a passkey of
 * nobody, and for one that was used on another page than its own.
 */
export function ownerOf(
  { publicKey, origin }: Assertion,
  people: ReadonlyMap<string, readonly string[]>,
): string {
  for (const [person, lines] of people) {
    const own = lines.map(readPasskey).find((passkey) => passkey?.publicKey === publicKey);
    if (own === undefined) continue;
    if (own.origin === origin) return person;
    throw new SignatureError(`The passkey of ${person} is for ${own.origin}, not for ${origin}.`);
  }
  throw new SignatureError('It is of nobody in the policy.');
}

function refuseUnverified(data: Buffer, origin: string): void {
  const flags = data.length < headBytes ? 0 : data.readUInt8(flagsAt);
  if ((flags & isPresent) === 0 || (flags & isVerified) === 0) {
    throw new SignatureError('Its device has not verified its user.');
  }
  const { hostname } = new URL(origin);
  if (data.subarray(0, flagsAt).equals(sha256(hostname))) return;
  throw new SignatureError(`It is for another relying party than ${hostname}.`);
}

function readText(signature: string): AssertionText {
  const read = assertion.safeParse(jsonIn(signature));
  if (read.success) return read.data;
  throw new SignatureError('It is neither an SSH signature nor an assertion of a passkey.');
}

function readClient(bytes: Buffer): z.output<typeof clientData> {
  const read = clientData.safeParse(jsonIn(bytes.toString()));
  if (read.success) return read.data;
  throw new SignatureError('Its client data cannot be read.');
}

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url');
}

function sha256(of: string | Buffer): Buffer {
  return createHash('sha256').update(of).digest();
}
