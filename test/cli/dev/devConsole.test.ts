import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devConsole } from '../../../src/cli/dev/devConsole';
import { openInvitations } from '../../../src/console/invite/invitations';
import { readPolicyFile } from '../../../src/writer/file/readPolicy';
import { testPasskey } from '../../writer/signing/passkeys';

const origin = 'http://localhost:4030';
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-dev-console-'));
  folders.push(folder);
  return folder;
}

test('without a policy, whoever opens the link may look, and is asked once', async () => {
  const folder = folderOf();
  const said: string[] = [];
  const { options, tell } = devConsole(folder, { say: (line) => said.push(line) });
  const { STEADFAST_POLICY_FILE: policyFile = '', STEADFAST_CONSOLE_FILE: file = '' } = options.env;
  // The file limits nothing: no worker has it.
  const { limits, approvals } = readPolicyFile(policyFile, { blockchain: 'ARC-TESTNET' });
  expect([limits, approvals]).toEqual([[], []]);

  const stopped = new Promise<never>(() => {});
  const [, link = ''] = await tell(origin, stopped);
  const token = link.trim().replace(`${origin}/enrol/`, '');
  const invitations = openInvitations(file);
  const passkey = (): string => testPasskey({ origin }).publicKey;
  expect(await invitations.use(token, { signIn: passkey(), approval: passkey() })).toBe(true);
  await invitations.close();
  while (said.length === 0) await sleep(50);
  expect(said[0]).toContain('developer is in ');
  expect(await tell(origin, stopped)).toEqual([]);
  // A passkey is of one address. At another one there is nobody yet.
  expect(await tell('http://localhost:4031', Promise.resolve())).toHaveLength(2);
});

test('with a policy, its owner invites, and nothing is written into it', async () => {
  const folder = folderOf();
  const policy = join(folder, 'own.yaml');
  writeFileSync(policy, 'version: 1\nrules: [{ id: all, kind: deny, to: anyone }]\n');
  const { options, tell } = devConsole(folder, { policy, say: () => {} });
  expect(options.env.STEADFAST_POLICY_FILE).toBe(resolve(policy));
  const told = (await tell(origin, Promise.resolve())).join('\n');
  expect(told).toContain(`STEADFAST_CONSOLE_ORIGIN=${origin}`);
  expect(told).toContain('steadfast console invite <person>');
});
