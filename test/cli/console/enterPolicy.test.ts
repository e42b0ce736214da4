import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enterPolicy } from '../../../src/cli/console/enterPolicy';
import { readPolicyFile } from '../../../src/writer/file/readPolicy';
import { newFolder } from '../../support/jest/setUp';
import { testPasskey } from '../../writer/signing/passkeys';

const folder = newFolder();
const path = join(folder, 'policy.yaml');

const rules = `rules:
  # Nobody has this address.
  - { id: nobody, kind: deny, to: "0x000000000000000000000000000000000000dEaD" }
`;

function made() {
  return { signIn: testPasskey().publicKey, approval: testPasskey().publicKey };
}

test('passkeys enter a policy with a higher version, beside those of before', () => {
  writeFileSync(path, `# Ours.\nversion: 7\npeople: {}\n${rules}`);
  const [first, second, other] = [made(), made(), made()];
  enterPolicy(path, 'ann', first);
  enterPolicy(path, 'ann', second);
  enterPolicy(path, 'bo', other);
  const { version, people, signIn } = readPolicyFile(path, { blockchain: 'ARC-TESTNET' });
  expect(version).toBe(10);
  expect(people.get('ann')).toEqual([first.approval, second.approval]);
  expect(signIn.get('ann')).toEqual([first.signIn, second.signIn]);
  expect(people.get('bo')).toEqual([other.approval]);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('# Ours.');
  expect(text).toContain('# Nobody has this address.');
});

test('passkeys enter a policy that has no people yet', () => {
  writeFileSync(path, `version: 1\n${rules}`);
  const own = made();
  enterPolicy(path, 'ann', own);
  const { people } = readPolicyFile(path, { blockchain: 'ARC-TESTNET' });
  expect([...people]).toEqual([['ann', [own.approval]]]);
});
