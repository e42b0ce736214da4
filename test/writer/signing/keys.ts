import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Signer, sshSigner } from '../../../src/writer/signing/sign';
import { newFolder } from '../../support/jest/setUp';

export type TestKey = { path: string; publicKey: string; sign: Signer };

/** Makes SSH keys with ssh-keygen itself, in a folder that ends with the tests of the file. */
export function testKeys(): (name: string, type?: string) => TestKey {
  const folder = newFolder();
  return (name, type = 'ed25519') => {
    const path = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', path]);
    return { path, publicKey: readFileSync(`${path}.pub`, 'utf8').trim(), sign: sshSigner(path) };
  };
}
