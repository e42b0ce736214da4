import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { sshSigner } from '../../../src/writer/signing/sign';
import { SignatureError, signerOf } from '../../../src/writer/signing/sshSignature';
import { testKeys, withKeyOf } from './keys';

const key = testKeys();
const ann = key('ann');

describe('a signature made by ssh-keygen', () => {
  it('names the key that made it, for exactly that text and purpose', async () => {
    const signed = await ann.sign('{"a":"b"}', 'request');
    expect(signerOf(signed, 'request')).toBe(ann.publicKey.split(' ')[1]);
    const changed = { ...signed, statement: '{"a":"c"}' };
    expect(() => signerOf(changed, 'request')).toThrow('It does not fit the statement.');
    expect(() => signerOf(signed, 'approval')).toThrow(
      'It is for steadfast-request, not for steadfast-approval.',
    );
  });

  it('of another kind of key is not accepted', async () => {
    const signed = await key('rsa', 'rsa').sign('text', 'approval');
    expect(() => signerOf(signed, 'approval')).toThrow(SignatureError);
  });

  it.each([0, 31, 33])('is refused with a reason for a key of %d bytes', async (bytes) => {
    const { statement, signature } = await ann.sign('text', 'request');
    expect(withKeyOf(32, signature).split('\n').join('')).toBe(signature.split('\n').join(''));
    const signed = { statement, signature: withKeyOf(bytes, signature) };
    expect(() => signerOf(signed, 'request')).toThrow(SignatureError);
    expect(() => signerOf(signed, 'request')).toThrow(`Its key has ${bytes} bytes`);
  });

  it('is refused with a reason for every byte that is changed, cut off or added', async () => {
    const { statement, signature } = await ann.sign('text', 'request');
    const [begin, ...lines] = signature.trim().split('\n');
    const end = lines.pop();
    const bytes = Buffer.from(lines.join(''), 'base64');
    const armoured = (blob: Buffer): string => [begin, blob.toString('base64'), end].join('\n');
    expect(signerOf({ statement, signature: armoured(bytes) }, 'request')).toBeDefined();
    const spoilt = [...bytes.keys()].flatMap((at) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return [flipped, bytes.subarray(0, at)];
    });
    for (const blob of [...spoilt, Buffer.concat([bytes, Buffer.from([0])]), Buffer.alloc(0)]) {
      expect(() => signerOf({ statement, signature: armoured(blob) }, 'request')).toThrow(
        SignatureError,
      );
    }
    for (const text of ['', 'text', signature.replace('BEGIN', 'END')]) {
      expect(() => signerOf({ statement, signature: text }, 'request')).toThrow(SignatureError);
    }
  });
});

describe('a signature of a hardware key', () => {
  const type = 'sk-ssh-ed25519@openssh.com';
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const x = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
  const field = (bytes: Buffer | string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(bytes));
    return Buffer.concat([length, Buffer.from(bytes)]);
  };
  const sha = (name: string, bytes: Buffer | string) => createHash(name).update(bytes).digest();
  const keyBlob = Buffer.concat([field(type), field(x), field('ssh:')]);

  /** Makes the signature as a token does, from the bytes that OpenSSH describes. */
  function tokenSignature(statement: string, flags: number): string {
    const head = [field('steadfast-approval'), field(''), field('sha512')];
    const inner = Buffer.concat([Buffer.from('SSHSIG'), ...head, field(sha('sha512', statement))]);
    const counter = Buffer.from([flags, 0, 0, 0, 7]);
    const message = Buffer.concat([sha('sha256', 'ssh:'), counter, sha('sha256', inner)]);
    const made = Buffer.concat([field(type), field(sign(null, message, privateKey)), counter]);
    const version = Buffer.from([0, 0, 0, 1]);
    const blob = Buffer.concat([
      Buffer.from('SSHSIG'),
      version,
      field(keyBlob),
      ...head,
      field(made),
    ]);
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} SSH SIGNATURE-----`);
    return [begin, blob.toString('base64'), end].join('\n');
  }

  it('names the key, once somebody has touched the token', () => {
    const signed = { statement: 'text', signature: tokenSignature('text', 1) };
    expect(signerOf(signed, 'approval')).toBe(keyBlob.toString('base64'));
    expect(() => signerOf({ ...signed, statement: 'other' }, 'approval')).toThrow(SignatureError);
    const untouched = { statement: 'text', signature: tokenSignature('text', 4) };
    expect(() => signerOf(untouched, 'approval')).toThrow('Nobody has touched the token');
  });
});

it('a key that is not there is told in one sentence', async () => {
  await expect(sshSigner(`${ann.path}-not`)('text', 'request')).rejects.toThrow(
    /^The key \S+ cannot sign: .*\.$/,
  );
});
