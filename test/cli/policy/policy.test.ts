import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerAt } from '../../../src/policy/ledger/ledgerAt';
import { kinds } from '../../policy/ledger/kinds';
import { endOf, lifetimeMs, transferOf, usdc } from '../../policy/ledger/reservations';
import { runCli } from '../runCli';

const example = join(__dirname, '..', '..', '..', 'docs', 'policies', 'payroll.yaml');
const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const ann = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const stranger = '0x6666666666666666666666666666666666666666';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steadfast-policy-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('check tells the rules of a policy, and its digest', async () => {
  const { code, stdout } = await runCli(['policy', 'check', example]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/is a policy of version 1, with the digest [0-9a-f]{64}\./);
  expect(stdout).toContain(
    'limit salaries: payout, transferStablecoin from 1 wallets: ' +
      'USDC, at most 12000 a transfer and 250000 in 720 hours, to 2 recipients',
  );
  const printed = await runCli(['policy', 'digest', example]);
  expect(stdout).toContain(printed.stdout.trim());
});

test('check names the line and the column of each fault, and ends with exit code 2', async () => {
  const file = join(folder, 'broken.yaml');
  writeFileSync(file, 'version: 1\nrules:\n  - { id: x, kind: deny, too: anyone }\n');
  const { code, stderr } = await runCli(['policy', 'check', file]);
  expect(code).toBe(2);
  expect(stderr).toContain('broken.yaml:3:26: rules.0.too: is no word of a policy. Leave it out.');
});

test.each([
  [ann, '12000', 0, 'transfer: allowed by salaries.'],
  [ann, '12000.01', 1, 'refused. 12000.01 is more than 12000, which the rule salaries allows.'],
  [stranger, '1', 1, `refused. ${stranger} is no recipient of the rules salaries.`],
])('explain judges a transfer to %s of %s', async (to, amount, code, words) => {
  const args = ['policy', 'explain', example, '--from', wallet, '--to', to, '--amount', amount];
  const explained = await runCli(args);
  expect(explained.stdout).toContain(words);
  expect(explained.code).toBe(code);
});

test('explain judges each line of a payout in a file, and names who must approve', async () => {
  const order = join(folder, 'payout.json');
  const line = { lineId: 'a', to: ann, amount: '100', token: 'USDC' };
  const lines = [
    line,
    { ...line, lineId: 'b', to: stranger },
    { ...line, lineId: 'c', amount: '9' },
  ];
  writeFileSync(order, JSON.stringify({ payoutId: 'jan', wallets: [wallet], lines }));
  const policy = join(folder, 'policy.yaml');
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI';
  const [one, two] = [`${key}A== cy`, `${key}B== bo`];
  const rule = {
    id: 'out',
    kind: 'limit',
    orders: ['payout'],
    wallets: [wallet],
    tokens: ['USDC'],
  };
  const large = { id: 'large', kind: 'approval', above: '10', need: 1, of: 'all', within: 5 };
  const rules = [{ ...rule, to: ann, perTransfer: '1000', signedBy: 'all' }, large];
  const people = { cy: { keys: [one] }, bo: { keys: [two] } };
  const groups = { all: ['cy', 'bo'] };
  writeFileSync(policy, JSON.stringify({ version: 1, people, groups, rules }));
  const args = ['policy', 'explain', policy, '--file', order, '--order', 'payout'];
  const { stdout, code } = await runCli([...args, '--signer', 'cy']);
  expect(code).toBe(1);
  expect(stdout).toContain('line/a: It is above 10. The rule large asks 1 of bo, within 5 hours.');
  expect(stdout).toContain(`line/b: refused. ${stranger} is no recipient of the rules out.`);
  expect(stdout).toContain('line/c: allowed by out.');
  expect((await runCli(args)).stdout).toContain('line/c: refused. The rule out wants a signature');
  const few = await runCli(['policy', 'explain', policy, '--to', ann]);
  expect(few.stderr).toContain('--from: is missing. Give it, or a whole order with --file.');
});

describe.each(kinds)('with a ledger in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  test('usage tells what each window has counted, what is open and what is free', async () => {
    const place = await newPlace();
    const ledger = await ledgerAt(place, { keyLifetimeMs: lifetimeMs });
    const scope = { wallet };
    const [paid, open] = [30n, 12n].map((amount) => ({
      ...transferOf(amount * usdc),
      charges: [{ scope, money: 'native', amount: amount * usdc }],
    }));
    if (paid === undefined || open === undefined) throw new Error('There are two.');
    await ledger.reserve(paid);
    await ledger.end([endOf(paid, true)]);
    await ledger.reserve(open);
    await ledger.close();
    const { stdout, code } = await runCli(['policy', 'usage', example, '--ledger', place]);
    expect(stdout).toContain(
      `salaries, wallet ${wallet}, native in 720 hours: ` +
        '42 of 250000 counted, 12 of it open, 249958 free',
    );
    expect(code).toBe(0);
  });
});
