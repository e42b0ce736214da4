import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unreadMoney } from '../../../src/writer/ledger/ledger';
import { ledgerAt } from '../../../src/writer/ledger/ledgerAt';
import { newFolder } from '../../support/jest/setUp';
import { kinds } from '../../writer/ledger/kinds';
import { endOf, lifetimeMs, outsideOf, transferOf, usdc } from '../../writer/ledger/reservations';
import { runCli } from '../runCli';

const example = join(__dirname, '..', '..', '..', 'docs', 'policies', 'payroll.yaml');
const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const ann = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const stranger = '0x6666666666666666666666666666666666666666';

const folder = newFolder();

test('check tells the rules of a policy, and its digest', async () => {
  const { code, stdout } = await runCli(['policy', 'check', example]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/is a policy of version 1, with the digest [0-9a-f]{64}\./);
  expect(stdout).toContain(
    'limit salaries: payout, transferStablecoin from 1 wallet: ' +
      'USDC, at most 12000 a transfer and 250000 in 720 hours, to 2 recipients',
  );
  const printed = await runCli(['policy', 'digest', example]);
  expect(stdout).toContain(printed.stdout.trim());
});

test('check tells what bounds the fees of each rule, and which rule has no number for them', async () => {
  const file = join(folder, 'fees.json');
  const limit = { kind: 'limit', orders: ['payout'], wallets: [wallet], tokens: ['EURC'], to: ann };
  const perWindow = { amount: '5', hours: 12, over: 'wallet' };
  const calls = [{ contract: ann, function: 'mintTo(address,uint256)' }];
  const rules = [
    { ...limit, id: 'window', tokens: ['USDC'], perWindow },
    { ...limit, id: 'both', tokens: ['USDC'], perWindow, maxFeePerWindow: '1' },
    { ...limit, id: 'euro', perWindow },
    { ...limit, id: 'each', perTransfer: '5' },
    { ...limit, id: 'calls', tokens: undefined, to: undefined, calls },
  ];
  writeFileSync(file, JSON.stringify({ version: 1, rules }));
  const { code, stdout, stderr } = await runCli(['policy', 'check', file]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/window: .*; fees: they count in its window$/m);
  expect(stdout).toMatch(/both: .*; fees: they count in its window, and at most 1 in 12 hours$/m);
  expect(stdout).toMatch(/euro: .*; fees: at most 10 in 12 hours$/m);
  expect(stdout).toMatch(/calls: .*: no money, 1 call; fees: at most 10 in 24 hours$/m);
  const told = [...stderr.matchAll(/limit (\w+): no number of it bounds the fees/g)];
  expect(told.map(([, id]) => id)).toEqual(['euro', 'each', 'calls']);
});

test('check tells of a list that cannot be used, which may be elsewhere on another machine', async () => {
  const file = join(folder, 'screened.json');
  const screen = { id: 'known', kind: 'screen', by: { list: 'nowhere.txt', hours: 24 } };
  writeFileSync(file, JSON.stringify({ version: 1, rules: [screen] }));
  const { code, stderr } = await runCli(['policy', 'check', file]);
  expect(stderr).toMatch(/screen known: the list .*nowhere\.txt cannot be read: it is not there/);
  expect(code).toBe(0);
});

test('check names the line and the column of each fault, and ends with exit code 2', async () => {
  const file = join(folder, 'broken.yaml');
  writeFileSync(file, 'version: 1\nrules:\n  - { id: x, kind: deny, too: anyone }\n');
  const { code, stderr } = await runCli(['policy', 'check', file]);
  expect(code).toBe(2);
  expect(stderr).toContain('broken.yaml:3:26: rules.0.too: is no word of a policy. Correct it: ');
});

describe('check refuses', () => {
  const key = (end: string) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${end}==`;
  const approval = { id: 'large', kind: 'approval', above: '1', need: 1, of: 'all', within: 1 };
  const limit = { id: 'out', kind: 'limit', orders: ['payout'], wallets: [wallet] };
  const paying = { ...limit, tokens: ['USDC'], to: ann, perTransfer: '5', signedBy: 'all' };
  const people = { ann: { keys: [key('A')] }, bo: { keys: [key('B')] } };
  const rules = [paying, approval];

  test.each([
    ['a quorum of nobody', { rules: [paying, { ...approval, need: 0 }] }, 'rules.1.need'],
    ['a quorum of an empty group', { groups: { all: [] } }, 'groups.all'],
    ['a person who is twice in a group', { groups: { all: ['ann', 'ann'] } }, 'twice'],
    [
      'a key of two persons',
      { people: { ...people, bo: { keys: [key('A')] } } },
      'key of ann as well',
    ],
    [
      'an amount that a window cannot count',
      { rules: [{ ...paying, perTransfer: `1${'0'.repeat(40)}` }] },
      'is more than a window can count',
    ],
    [
      'a window of too many hours',
      { rules: [{ ...paying, perWindow: { amount: '1', hours: 1e15, over: 'rule' } }] },
      'rules.0.perWindow.hours',
    ],
  ])('%s', async (_, change, words) => {
    const file = join(folder, 'refused.json');
    const groups = { all: ['ann', 'bo'] };
    writeFileSync(file, JSON.stringify({ version: 1, people, groups, rules, ...change }));
    const { code, stderr } = await runCli(['policy', 'check', file]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });
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

test('explain judges each line of a payout by the sum of all, and names everybody who must approve', async () => {
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
  const tier = { kind: 'approval', need: 1, of: 'all', within: 5 };
  const tiers = [
    { ...tier, id: 'large', above: '200' },
    { ...tier, id: 'daily', above: '205', hours: 24, within: 6 },
    { ...tier, id: 'over', above: '10', within: 7 },
  ];
  const limit = { ...rule, to: ann, perTransfer: '50', signedBy: 'all', beyond: 'over' };
  const rules = [limit, ...tiers];
  const people = { cy: { keys: [one] }, bo: { keys: [two] } };
  const groups = { all: ['cy', 'bo'] };
  writeFileSync(policy, JSON.stringify({ version: 1, people, groups, rules }));
  const args = ['policy', 'explain', policy, '--file', order, '--order', 'payout'];
  const { stdout, code } = await runCli([...args, '--signer', 'cy']);
  expect(code).toBe(1);
  // The whole is 209, also where a line is small.
  const full = 'The window of the rule daily is full: 0 of 205 in 24 hours';
  const daily = 'The rule daily asks 1 of bo, within 6 hours.';
  expect(stdout).toContain(`line/a: ${full}`);
  expect(stdout).toContain(`line/c: ${full}`);
  const told = stdout.split('\n');
  const [lineA = '', lineC = ''] = ['a', 'c'].map(
    (id) => told.find((one) => one.startsWith(`line/${id}: `)) ?? '',
  );
  expect(lineA).toContain(daily);
  expect(lineC).toContain(daily);
  const over =
    '100 is more than 50, which the rule out allows. The rule over asks 1 of bo, within 7 hours.';
  expect(lineA).toContain(over);
  expect(lineC).not.toContain('The rule over');
  expect(lineC).toContain('With it, the window of daily has 209 of 205 in 24 hours.');
  expect(stdout).toContain(`line/b: refused. ${stranger} is no recipient of the rules out.`);
  expect((await runCli(args)).stdout).toContain('line/c: refused. The rule out wants a signature');
  const unknown = await runCli([...args, '--signer', 'carol']);
  expect(unknown.stderr).toContain('--signer: carol is no person of the policy. It names cy, bo.');
  const few = await runCli(['policy', 'explain', policy, '--to', ann]);
  expect(few.stderr).toContain('--from: is missing. Give it, or a whole order with --file.');
});

describe.each(kinds)('with a ledger in $name', ({ start, newPlace, stop }) => {
  beforeAll(start);
  afterAll(stop);
  test('usage tells what of each window is reserved, spent, paid by others, and free', async () => {
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
    const charges = [{ scope, money: 'native', amount: 8n * usdc }];
    await ledger.enter([outsideOf(8n * usdc, { charges })]);
    await ledger.close();
    const { stdout, code } = await runCli(['policy', 'usage', example, '--ledger', place]);
    expect(stdout).toContain(
      `salaries, wallet ${wallet}, native in 720 hours: ` +
        'of 250000, 12 reserved, 30 spent, 8 outside, 249950 free',
    );
    expect(code).toBe(0);
  });

  test('usage says so where no rule has a window', async () => {
    const place = await newPlace();
    await (await ledgerAt(place, { keyLifetimeMs: lifetimeMs })).close();
    const none = join(folder, 'none.json');
    writeFileSync(
      none,
      JSON.stringify({ version: 1, rules: [{ id: 'n', kind: 'deny', to: [ann] }] }),
    );
    const { stdout, code } = await runCli(['policy', 'usage', none, '--ledger', place]);
    expect(stdout).toBe('No rule of this policy has a window.\n');
    expect(code).toBe(0);
  });

  test('explain counts each write after those before it, and what was sent', async () => {
    const place = await newPlace();
    const ledger = await ledgerAt(place, { keyLifetimeMs: lifetimeMs });
    const charges = [{ scope: { wallet }, money: 'native', amount: 240_000n * usdc }];
    await ledger.reserve({ ...transferOf(240_000n * usdc), charges, windows: [] });
    await ledger.close();
    const line = { lineId: 'a', to: ann, amount: '6000', token: 'USDC' };
    const lines = [line, { ...line, lineId: 'b', amount: '5000' }];
    const file = join(folder, 'two.json');
    writeFileSync(file, JSON.stringify({ payoutId: 'jan', wallets: [wallet], lines }));
    const args = ['policy', 'explain', example, '--file', file, '--order', 'payout'];
    const { stdout, code } = await runCli([...args, '--ledger', place]);
    expect(stdout).toContain(
      'line/a: allowed by salaries. ' +
        'With it, the window of salaries has 246000 of 250000 in 720 hours.',
    );
    expect(stdout).toMatch(/line\/b: waits\. .*salaries/);
    expect(code).toBe(1);
    const alone = await runCli(args);
    expect(alone.stdout).toContain('has 11000 of 250000 in 720 hours.');
    expect(alone.stdout).toContain('Windows begin empty here.');
    const byAddress = ['--from', ann, '--to', ann, '--amount', '1', '--ledger', place];
    const refused = await runCli(['policy', 'explain', example, ...byAddress]);
    expect(refused.stderr).toContain('--ledger: has sums by the ids of wallets');
  });

  test('usage names the record that closes a window', async () => {
    const place = await newPlace();
    const ledger = await ledgerAt(place, { keyLifetimeMs: lifetimeMs });
    const charges = [{ scope: { wallet }, money: unreadMoney, amount: 0n }];
    const record = outsideOf(0n, { state: 'unread', charges });
    await ledger.enter([record]);
    await ledger.close();
    const { stdout } = await runCli(['policy', 'usage', example, '--ledger', place]);
    expect(stdout).toContain('0 outside, 0 free');
    expect(stdout).toContain('The window of the rule salaries is closed');
    expect(stdout).toContain(record.transactionId);
  });
});
