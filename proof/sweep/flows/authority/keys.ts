import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Signer, sshSigner } from '../../../../src/writer/signing/sign';

/** Everybody who has a key: a backend that orders, and people who decide. */
const names = ['backend', 'ann', 'bo', 'cy'] as const;
export type Person = (typeof names)[number];

let folder: string | undefined;

/** The file of a person's key. All keys end with this process. */
function keyOf(name: Person): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'steadfast-sweep-keys-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const path = join(folder, name);
  if (!existsSync(path)) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  }
  return path;
}

export function signerOf(name: Person): Signer {
  return sshSigner(keyOf(name));
}

/** Policies are numbered, since a ledger keeps to the newest one. */
let version = 0;

/** The next policy, with all people, of whom three may approve. */
export function nextPolicy(rules: readonly object[]): object {
  version += 1;
  const keys = names.map((name) => [
    name,
    { keys: [readFileSync(`${keyOf(name)}.pub`, 'utf8').trim()] },
  ]);
  return {
    version,
    people: Object.fromEntries(keys),
    groups: { backends: ['backend'], treasurers: ['ann', 'bo', 'cy'] },
    rules,
  };
}

/** A limit on what its backend has signed. */
export function limitOf(wallets: readonly string[], fields: object): object {
  const limit = { id: 'out', kind: 'limit', wallets, tokens: ['USDC'], to: 'anyone' };
  return { ...limit, perTransfer: '100', signedBy: 'backends', ...fields };
}

/** The approval of two people for each order of a flow. */
export const twoPeople = {
  id: 'two',
  kind: 'approval',
  above: '0.5',
  need: 2,
  of: 'treasurers',
  within: 1,
};
