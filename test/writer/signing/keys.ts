import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Signer, sshSigner } from '../../../src/writer/signing/sign';
import { newFolder } from '../../support/jest/setUp';

export type TestKey = { path: string; publicKey: string; sign: Signer };

/** A signature of ssh-keygen whose key has fewer bytes, or zeros behind its own. */
export function withKeyOf(bytes: number, signature: string): string {
  const [begin = '', ...lines] = signature.trim().split('\n');
  const end = lines.pop() ?? '';
  const blob = Buffer.from(lines.join(''), 'base64');
  const number = (value: number) => Buffer.from([0, 0, 0, value]);
  // The lengths of the key's field and of the key itself stand at 10 and 29.
  const key = Buffer.concat([blob.subarray(33, 65), Buffer.alloc(32)]).subarray(0, bytes);
  const head = [blob.subarray(0, 10), number(19 + bytes), blob.subarray(14, 29), number(bytes)];
  return [begin, Buffer.concat([...head, key, blob.subarray(65)]).toString('base64'), end].join(
    '\n',
  );
}

/** Makes SSH keys with ssh-keygen itself, in a folder that ends with the tests of the file. */
export function testKeys(): (name: string, type?: string) => TestKey {
  const folder = newFolder();
  return (name, type = 'ed25519') => {
    const path = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', path]);
    return { path, publicKey: readFileSync(`${path}.pub`, 'utf8').trim(), sign: sshSigner(path) };
  };
}
