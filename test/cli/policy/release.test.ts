import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../../../src/writer/ledger/openLedger';
import { endOf, lifetimeMs, transferOf, usdc } from '../../writer/ledger/reservations';
import { testKeys } from '../../writer/signing/keys';
import { runCli } from '../runCli';
import { watchedCli } from '../watchedCli';

const makeKey = testKeys();
const [ann, bo, mallory] = [makeKey('ann'), makeKey('bo'), makeKey('mallory')];
const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';

let folder: string;
let policy: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-release-'));
  policy = join(folder, 'policy.json');
  path = join(folder, 'ledger.db');
  writePolicy({ operators: ['ann'], others: ['bo'] });
});
afterEach(() => rmSync(folder, { recursive: true }));

function writePolicy(groups: object): void {
  const limit = { id: 'out', kind: 'limit', orders: ['transferStablecoin'], wallets: [wallet] };
  const rules = [{ ...limit, tokens: ['USDC'], to: 'anyone', perTransfer: '100' }];
  const people = { ann: { keys: [ann.publicKey] }, bo: { keys: [bo.publicKey] } };
  writeFileSync(policy, JSON.stringify({ version: 1, people, groups, rules }));
}

/** A write of so long ago, of which nothing has been heard since. Another was asked for now. */
async function sentBefore(ms: number) {
  const ledger = openLedger(path, { keyLifetimeMs: lifetimeMs, clock: () => Date.now() - ms });
  const sent = transferOf(60n * usdc);
  await ledger.reserve(sent);
  await ledger.reserve(transferOf(usdc), Date.now());
  ledger.close();
  const flags = ['--ledger', path, '--id', sent.parts.workflowId, '--target', 'transfer/1#0'];
  const run = (...more: string[]) => runCli(['policy', 'release', policy, ...flags, ...more]);
  return { sent, run };
}

const usage = () => runCli(['policy', 'usage', policy, '--ledger', path]);

test('an operator releases what an unknown write holds, and usage tells both', async () => {
  const { sent, run } = await sentBefore(2 * lifetimeMs);
  const unknown = `transfer/1#0 of ${sent.parts.workflowId} holds 60 native`;
  expect((await usage()).stdout).toContain(unknown);
  const { code, stdout, stderr } = await run('--key', ann.path, '--yes');
  expect(stderr).toContain('"found":"no effect"');
  expect(stdout).toContain('ann has released it. Its key is never used again.');
  expect(code).toBe(0);
  expect((await usage()).stdout).not.toContain('unknown since');
  const again = await run('--key', ann.path, '--yes');
  expect(again.stderr).toContain('Nothing was released. It is not open: it is found.');
  expect(again.code).toBe(2);
});

test('a finding can be signed on another machine, with ssh-keygen itself', async () => {
  const { run } = await sentBefore(2 * lifetimeMs);
  const file = join(folder, 's.json');
  writeFileSync(file, (await run('--statement')).stdout);
  execFileSync('ssh-keygen', ['-Y', 'sign', '-f', ann.path, '-n', 'steadfast-finding', file]);
  const { code, stdout } = await run('--signature', `${file}.sig`);
  expect(stdout).toContain('ann has released it');
  expect(code).toBe(0);
});

test.each<[string, () => readonly string[], string]>([
  ['of somebody else', () => ['--key', bo.path], 'bo is not in the group operators, which is ann'],
  ['of a stranger', () => ['--key', mallory.path], 'signed with a key of nobody in the policy'],
  ['without a key', () => [], '--key: is missing. Give your SSH key, or --signature.'],
])('a finding %s releases nothing', async (_, args, words) => {
  const { run } = await sentBefore(2 * lifetimeMs);
  const { code, stderr } = await run(...args(), '--yes');
  expect(stderr).toContain(words);
  expect(code).toBe(2);
  expect((await usage()).stdout).toContain('unknown since');
});

test('nothing is released without a group of operators', async () => {
  writePolicy({ others: ['bo'] });
  const { run } = await sentBefore(2 * lifetimeMs);
  expect((await run('--key', ann.path)).stderr).toContain('The policy has no group operators.');
});

test('a write that may still be sent, or that is not there, is not released', async () => {
  const { run } = await sentBefore(lifetimeMs / 2);
  expect((await run('--key', ann.path)).stderr).toContain('It may still be sent under its key');
  const flags = ['--ledger', path, '--id', 'transfer:none', '--key', ann.path];
  const other = (target: string) =>
    runCli(['policy', 'release', policy, ...flags, '--target', target]);
  expect((await other('transfer/1#0')).stderr).toContain('the ledger has no write transfer/1');
  expect((await other('transfer')).stderr).toContain('--target: transfer names no write.');
});

test('a person who does not agree releases nothing, which is told as JSON, too', async () => {
  const { sent } = await sentBefore(2 * lifetimeMs);
  const id = sent.parts.workflowId;
  const flags = ['--ledger', path, '--id', id, '--target', 'transfer/1#0', '--key', ann.path];
  const no = await watchedCli(['policy', 'release', policy, ...flags, '--json'], {}, 'n');
  expect(JSON.parse(no.stdout)).toEqual({ id, end: 'notStarted' });
  expect({ code: no.code, told: no.stderr }).toMatchObject({
    code: 1,
    told: expect.stringContaining('Nothing was signed.'),
  });
  expect((await usage()).stdout).toContain('unknown since');
});

test('a write is named with or without the scope of its order', async () => {
  const scope = { STEADFAST_KEY_SCOPE: 'shop' };
  const ledger = openLedger(path, { keyLifetimeMs: lifetimeMs });
  await ledger.reserve(transferOf(usdc, { workflowId: 'shop:transfer:own' }));
  await ledger.reserve(transferOf(usdc, { workflowId: 'bar:transfer:own' }));
  ledger.close();
  const orderOf = async (id: string) => {
    const flags = ['--ledger', path, '--id', id, '--target', 'transfer/1#0', '--statement'];
    const { stdout, stderr } = await runCli(['policy', 'release', policy, ...flags], scope);
    expect(stderr).toBe('');
    return JSON.parse(stdout).order;
  };
  expect(await orderOf('transfer:own')).toBe('shop:transfer:own');
  expect(await orderOf('shop:transfer:own')).toBe('shop:transfer:own');
  expect(await orderOf('bar:transfer:own')).toBe('bar:transfer:own');
});

test('usage does not call a write unknown that the service has accepted', async () => {
  const { sent } = await sentBefore(2 * lifetimeMs);
  const ledger = openLedger(path, { keyLifetimeMs: lifetimeMs });
  await ledger.accepted(sent.key, 't1');
  expect((await usage()).stdout).not.toContain('unknown since');
  await ledger.end([endOf(sent, true)]);
  ledger.close();
});
