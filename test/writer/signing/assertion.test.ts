import { generateKeyPairSync } from 'node:crypto';
import { assertionOf } from '../../../src/writer/signing/assertion';
import { readPasskey } from '../../../src/writer/signing/passkey';
import { consoleOrigin, type Touch, testPasskey } from './passkeys';

const statement = '{"order":"transfer:invoice-1"}';
const ann = testPasskey();

describe('an assertion', () => {
  it('names the passkey that has made it, and the page', () => {
    const at = '2026-11-28T12:00:00.000Z';
    expect(assertionOf(ann.touch(statement, 'approval', { at }), 'approval')).toMatchObject({
      publicKey: readPasskey(ann.publicKey)?.publicKey,
      origin: consoleOrigin,
      atMs: Date.parse(at),
    });
  });

  it('is accepted of an RSA key too, as some laptops have them', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const touched = testPasskey({ keys }).touch(statement, 'rejection');
    expect(assertionOf(touched, 'rejection').origin).toBe(consoleOrigin);
  });

  it('is of no RSA key with another exponent than 65537, as one that takes a second to check', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2_048, publicExponent: 3 });
    const touched = testPasskey({ keys }).touch(statement, 'approval');
    expect(() => assertionOf(touched, 'approval')).toThrow('neither P-256 nor RSA');
    expect(readPasskey(testPasskey({ keys }).publicKey)).toBeUndefined();
  });

  it('is of its statement and its purpose alone', () => {
    const touched = ann.touch(statement, 'approval');
    const other = { ...touched, statement: `${statement} ` };
    expect(() => assertionOf(other, 'approval')).toThrow('It does not fit the statement');
    for (const purpose of ['rejection', 'signIn'] as const) {
      expect(() => assertionOf(touched, purpose)).toThrow('does not fit the statement');
    }
    expect(() => assertionOf(ann.touch(statement, 'signIn'), 'approval')).toThrow(
      'does not fit the statement and the purpose',
    );
  });

  const faulty: [what: string, how: Touch, words: string][] = [
    ['that was made without a look at its user', { flags: 1 }, 'has not verified its user'],
    ['that nobody has touched', { flags: 4 }, 'has not verified its user'],
    ['of another relying party', { rpId: 'example.org' }, 'another relying party'],
    ['in a frame of another page', { crossOrigin: true }, 'inside another one'],
    ['that makes a new passkey', { type: 'webauthn.create' }, 'not webauthn.get'],
    ['of a challenge of somebody else', { challenge: 'x' }, 'does not fit the statement'],
  ];
  it.each(faulty)('%s is refused', (_, how, words) => {
    expect(() => assertionOf(ann.touch(statement, 'approval', how), 'approval')).toThrow(words);
  });

  it.each([
    ['another moment', (text: string) => text.replace(/"at":"[^"]+"/, `"at":"${nextYear()}"`)],
    ['another key', (text: string) => withKeyOf(text, testPasskey().touch(statement, 'approval'))],
    ['a field more', (text: string) => text.replace('{', '{"more":"",')],
    ['no JSON', () => `{${'x'.repeat(80)}`],
  ])('with %s is refused', (_, change) => {
    const touched = ann.touch(statement, 'approval');
    const changed = { statement, signature: change(touched.signature) };
    expect(() => assertionOf(changed, 'approval')).toThrow(
      /does not fit|neither an SSH signature nor an assertion/,
    );
  });
});

describe('the line of a passkey', () => {
  const [, key = '', , id = ''] = ann.publicKey.split(' ');

  it('is read back', () => {
    expect(readPasskey(ann.publicKey)).toEqual({
      publicKey: key,
      origin: consoleOrigin,
      credentialId: id,
    });
  });

  it.each([
    ['of a page without TLS', `passkey ${key} http://console.example.org ${id}`],
    ['of a page with a path', `passkey ${key} ${consoleOrigin}/ ${id}`],
    ['without an id', `passkey ${key} ${consoleOrigin}`],
    ['with more behind it', `${ann.publicKey} x`],
    ['of a key that is none', `passkey AAAA ${consoleOrigin} ${id}`],
    [
      'of an Ed25519 key',
      `passkey ${spkiOf(generateKeyPairSync('ed25519'))} ${consoleOrigin} ${id}`,
    ],
    ['of a short RSA key', `passkey ${spkiOf(shortRsa())} ${consoleOrigin} ${id}`],
  ])('%s is none', (_, line) => {
    expect(readPasskey(line)).toBeUndefined();
  });
});

function shortRsa() {
  return generateKeyPairSync('rsa', { modulusLength: 1_024 });
}

function spkiOf({ publicKey }: ReturnType<typeof shortRsa>): string {
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

function nextYear(): string {
  return new Date(Date.now() + 365 * 86_400_000).toISOString();
}

function withKeyOf(text: string, { signature }: { signature: string }): string {
  const { publicKey } = JSON.parse(signature);
  return text.replace(/"publicKey":"[^"]+"/, `"publicKey":"${publicKey}"`);
}
