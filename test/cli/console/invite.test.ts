import { join } from 'node:path';
import { digitsOf } from '../../../src/console/invite/digits';
import { openInvitations } from '../../../src/console/invite/invitations';
import { newFolder } from '../../support/jest/setUp';
import { runCli, startCli } from '../runCli';

const folder = newFolder();

const file = join(folder, 'console.db');
const env = {
  STEADFAST_CONSOLE_FILE: file,
  STEADFAST_CONSOLE_ORIGIN: 'https://console.example.org',
  STEADFAST_POLICY_FILE: 'policy.yaml',
};
const links = /https:\/\/console\.example\.org\/enrol\/([\w-]{43})/;
const made = { signIn: 'passkey A https://a.example b', approval: 'passkey C https://a.example d' };

test('an invitation prints a link that works once, and its secret is not kept', async () => {
  const { code, stdout, stderr } = await runCli(['console', 'invite', 'ann', '--no-wait'], env);
  const [, token = ''] = links.exec(stdout) ?? [];
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Give this link to ann. It works once, until '),
  });
  const invitations = openInvitations(file);
  expect(await invitations.find(token)).toMatchObject({ person: 'ann', made: undefined });
  expect(await invitations.use(token, made)).toBe(true);
  expect(await invitations.use(token, made)).toBe(false);
  await invitations.close();
});

test('an invitation waits for the passkeys, and prints the lines for the policy', async () => {
  const { child, ended } = startCli(['console', 'invite', 'bo'], env);
  const token = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      const [, found] = links.exec(String(chunk)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const invitations = openInvitations(file);
  expect(await invitations.use(token, made)).toBe(true);
  await invitations.close();
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain(`Have bo read you these digits: ${digitsOf(made)}`);
  expect(stdout).toContain(
    `  bo:\n    keys: ["${made.approval}"]\n    signIn: ["${made.signIn}"]\n`,
  );
});

test.each([
  [['ann smith'], 'person: "ann smith" is no plain name'],
  [['ann'], 'STEADFAST_CONSOLE_FILE: is not set'],
])('a wrong name or a missing file is refused: %s', async (args, words) => {
  const own = args[0] === 'ann' ? { ...env, STEADFAST_CONSOLE_FILE: '' } : env;
  const { code, stderr } = await runCli(['console', 'invite', ...args], own);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
