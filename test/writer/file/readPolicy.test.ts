import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPolicy, readPolicyFile } from '../../../src/writer/file/readPolicy';
import { newFolder } from '../../support/jest/setUp';
import { testPasskey } from '../signing/passkeys';

const blockchain = 'ARC-TESTNET';
const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const keys = ['Ann', 'Bo', 'Cy'].map(
  (who) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${who.padEnd(43, 'x')} ${who}@laptop`,
);

const folder = newFolder();

function read(text: string) {
  return readPolicy(text, { blockchain, path: join(folder, 'policy.yaml') });
}

/** The message of a policy that is refused. */
function faults(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    return String((error as Error).message).split('\n');
  }
  throw new Error('The policy was accepted.');
}

const limit = `  - { id: out, kind: limit, orders: [payout], wallets: ["${wallet}"], tokens: [USDC],
      to: "${payee}", perTransfer: "5" }`;

it('reads the policy of the design, with people, groups, a file of addresses and every kind of rule', () => {
  writeFileSync(join(folder, 'suppliers.csv'), `address,name\n${payee},"Steel, Ltd"\n`);
  const policy = read(`
version: 3
people:
  ann: { keys: ["${keys[0]}"] }
  bo:  { keys: ["${keys[1]}"] }
  payroll-backend: { keys: ["${keys[2]}"] }
groups:
  treasurers: [ann, bo]
  backends: [payroll-backend]
  suppliers: { file: suppliers.csv }
rules:
  - { id: suppliers, kind: limit, orders: [transferStablecoin, payout], wallets: ["${wallet}"],
      tokens: [USDC], to: "@suppliers", perTransfer: "5000",
      perWindow: { amount: "50000", hours: 24, over: wallet }, maxFeePerWindow: "5",
      signedBy: backends, beyond: large }
  - { id: large, kind: approval, above: "1000", need: 2, of: treasurers, within: 48 }
  - { id: never, kind: deny, to: ["0x89b50855aa3be2f677cd6303cec089b5f319d72a"] }
`);
  expect(policy.version).toBe(3);
  expect(policy.limits).toMatchObject([
    {
      id: 'suppliers',
      to: new Map([[payee.toLowerCase(), 'Steel, Ltd']]),
      // USDC and the native coin are one money on Arc.
      money: new Set(['native']),
      perTransfer: 5_000n * 10n ** 18n,
      perWindow: { amount: 50_000n * 10n ** 18n, hours: 24, over: 'wallet' },
      maxFee: { amount: 5n * 10n ** 18n, hours: 24, over: 'wallet' },
      beyond: 'large',
    },
  ]);
  expect(policy.approvals).toMatchObject([{ id: 'large', need: 2, of: 'treasurers', within: 48 }]);
  expect(policy.groups.get('treasurers')).toEqual(['ann', 'bo']);
  expect(policy.digest).toMatch(/^[0-9a-f]{64}$/);
});

it('reads JSON as well, and an address in YAML without quotes', () => {
  const rule = { id: 'never', kind: 'deny', to: payee };
  const json = read(JSON.stringify({ version: 1, rules: [rule] }));
  const yaml = read(`version: 1\nrules:\n  - { kind: deny, to: ${payee}, id: never }\n`);
  expect(json.digest).toBe(yaml.digest);
});

it('has a digest that follows from its meaning, and from the lines of its address files', () => {
  const text =
    'version: 1\ngroups: { bad: { file: bad.csv } }\nrules: [{id: x, kind: deny, to: "@bad"}]';
  writeFileSync(join(folder, 'bad.csv'), `${payee}\n`);
  const before = read(text).digest;
  expect(read(`# A comment changes nothing.\n${text}`).digest).toBe(before);
  writeFileSync(join(folder, 'bad.csv'), `${payee}\n0x89b50855aa3be2f677cd6303cec089b5f319d72a\n`);
  expect(read(text).digest).not.toBe(before);
  expect(read(text.replace('version: 1', 'version: 2')).digest).not.toBe(before);
});

describe('names the line and the column of', () => {
  it.each([
    ['a text that is no YAML', 'version: 1\nrules: [', /^policy\.yaml:2:9: /],
    ['a key that stands twice', 'version: 1\nversion: 2\nrules: []', /^policy\.yaml:2:1: .*unique/],
    ['a text that is empty', '', /^policy\.yaml:1:1: The policy must be an object\.$/],
    [
      'a word that no policy has',
      `version: 1\nrules:\n${limit}\n    \nextra: 1`,
      /^policy\.yaml:6:1: extra: is no word of a policy\. Correct it: without it the policy may allow more\.$/,
    ],
    [
      'a word that a rule does not have',
      `version: 1\nrules:\n  - id: x\n    kind: deny\n    to: anyone\n    perMonth: "3"`,
      /^policy\.yaml:6:5: rules\.0\.perMonth: is no word of a policy/,
    ],
    [
      'a kind that is unknown',
      'version: 1\nrules:\n  - { id: x, kind: allow }',
      /^policy\.yaml:3:20: rules\.0\.kind: "allow" must be limit, approval, deny, screen or check/,
    ],
    [
      'an amount without quotes',
      `version: 1\nrules:\n${limit.replace('"5"', '5')}`,
      /^policy\.yaml:4:\d+: rules\.0\.perTransfer: 5 must be text, in quotes\.$/,
    ],
    [
      'an amount that a window cannot count',
      `version: 1\nrules:\n${limit.replace('"5"', `"1${'0'.repeat(40)}"`)}`,
      /is more than a window can count/,
    ],
    [
      'an amount with too many decimals',
      `version: 1\nrules:\n${limit.replace('"5"', `"0.${'0'.repeat(18)}1"`)}`,
      /has more than 18 decimals/,
    ],
    [
      'a recipient with a wrong checksum',
      `version: 1\nrules:\n${limit.replace(payee, payee.replace('523b', '523B'))}`,
      /^policy\.yaml:4:11: .*has a wrong checksum \(EIP-55\)/,
    ],
    [
      'a limit that names nobody to be paid',
      `version: 1\nrules:\n${limit.replace(`to: "${payee}", `, '')}`,
      /^policy\.yaml:3:5: rules\.0\.to: is missing\. It must say who may be paid/,
    ],
    [
      'a limit without an amount',
      `version: 1\nrules:\n${limit.replace('perTransfer: "5"', 'maxFeePerWindow: "1"')}`,
      /rules\.0\.perTransfer: is missing\. It must be there, or perWindow/,
    ],
    [
      'a group that nobody made',
      `version: 1\nrules:\n${limit.replace(payee, '@friends')}`,
      /^policy\.yaml:4:11: @friends is not among the groups/,
    ],
    [
      'a member whom nobody knows',
      `version: 1\ngroups:\n  all: [zoe]\nrules:\n${limit}`,
      /^policy\.yaml:3:9: "zoe" is not among the people/,
    ],
    [
      'a rule id that stands twice',
      `version: 1\nrules:\n${limit}\n${limit}`,
      /^policy\.yaml:5:11: "out" is the id of two rules/,
    ],
    [
      'an approval rule that is not there',
      `version: 1\nrules:\n${limit.replace('perTransfer', 'beyond: big, perTransfer')}`,
      /"big" is the id of no approval rule/,
    ],
    [
      'a denial of everything',
      'version: 1\nrules: [{ id: x, kind: deny }]',
      /rules\.0\.to: is missing\. It must be there, or orders, wallets or tokens/,
    ],
    [
      'a function that is none',
      `version: 1\nrules:\n${limit.replace('to:', `calls: [{contract: "${payee}", function: "mint(uint)zzz)"}], to:`)}`,
      /^policy\.yaml:4:\d+: "mint\(uint\)zzz\)" is not the signature of a function/,
    ],
    [
      'a screen by nobody',
      'version: 1\nrules: [{ id: x, kind: screen, by: me }]',
      /^policy\.yaml:2:\d+: rules\.0\.by: "me" must be token, service, \{list/,
    ],
    [
      'a screen whose answers could be changed on the way',
      'version: 1\nrules: [{ id: x, kind: screen, by: { url: "http://screen.example" } }]',
      /rules\.0\.by/,
    ],
    [
      'a screen with a review that nobody decides about',
      'version: 1\nrules: [{ id: x, kind: screen, by: token, beyond: large }]',
      /"large" is the id of no approval rule/,
    ],
    [
      'an address file that is not there',
      `version: 1\ngroups: { gone: { file: gone.csv } }\nrules:\n${limit}`,
      /^policy\.yaml:2:25: gone\.csv cannot be read/,
    ],
  ])('%s', (_, text, words) => {
    expect(faults(text)).toEqual([expect.stringMatching(words)]);
  });

  it('every fault of a policy, in the order of the text', () => {
    const found = faults(`version: zero\npeople: 3\nrules: [{ id: "", kind: deny, to: anyone }]`);
    expect(found.map((one) => one.split(' ')[0])).toEqual([
      'policy.yaml:1:10:',
      'policy.yaml:2:9:',
      'policy.yaml:3:15:',
    ]);
  });

  it('each line of an address file that is no address, or that stands twice', () => {
    writeFileSync(join(folder, 'lines.csv'), `address,name\nnobody,Ann\n${payee},B\n${payee},C\n`);
    const text = `version: 1\ngroups: { some: { file: lines.csv } }\nrules:\n${limit}`;
    expect(faults(text)).toEqual([
      expect.stringContaining('lines.csv, line 2: "nobody" is not an address'),
      expect.stringContaining(`lines.csv, line 4: ${payee} is in the list twice`),
    ]);
  });
});

describe('a quorum', () => {
  const people = `people: { ann: { keys: ["${keys[0]}"] }, bo: { keys: ["${keys[1]}"] } }`;
  const rules = (need: number, groups: string) =>
    `version: 1\n${people}\ngroups: ${groups}\nrules:
  - { id: large, kind: approval, above: "1", need: ${need}, of: some, within: 1 }`;

  it('that is larger than its group is refused', () => {
    expect(faults(rules(2, '{ some: [ann] }'))).toEqual([
      'policy.yaml:5:52: 2 persons are needed, and @some has 1. Add people to it.',
    ]);
  });

  it('of nobody is refused, since it would approve everything', () => {
    expect(faults(rules(0, '{ some: [ann] }'))[0]).toContain('must be at least 1');
    expect(faults(rules(1, '{ some: [] }'))[0]).toContain('groups.some');
  });

  it('counts persons: a person who is named twice, or a key of two persons, is refused', () => {
    expect(faults(rules(2, '{ some: [ann, ann] }'))[0]).toContain('"ann" is in the group twice');
    const shared = rules(1, '{ some: [ann] }').replace(String(keys[1]), String(keys[0]));
    expect(faults(shared)).toEqual([
      expect.stringContaining('This key is a key of ann as well. A person needs their own'),
    ]);
  });

  it('that nobody can reach, since a signer of the order never counts, is refused', () => {
    const signedBy = (group: string) =>
      `\n${limit.replace('perTransfer', `signedBy: ${group}, perTransfer`)}`;
    const groups = '{ some: [ann, bo], backends: [bo] }';
    for (const group of ['some', 'backends']) {
      const signer = group === 'some' ? 'ann' : 'bo';
      expect(faults(rules(2, groups) + signedBy(group))).toEqual([
        'policy.yaml:5:52: "large" needs 2 of ann, bo, and a signer never counts: an order that ' +
          `${signer} signs has only 1. Add people to @some.`,
      ]);
    }
    expect(read(rules(1, groups) + signedBy('some')).approvals).toMatchObject([{ need: 1 }]);
  });

  it('of passkeys counts the persons who have one', () => {
    const text = rules(1, '{ some: [ann] }');
    const ofPasskeys = text.replace('within: 1', 'within: 1, with: passkey');
    expect(faults(ofPasskeys)).toEqual([
      expect.stringContaining('@some has 0 with a key of that kind (passkey). Add people to it'),
    ]);
    const known = ofPasskeys.replace(String(keys[0]), testPasskey().publicKey);
    expect(read(known).approvals).toMatchObject([{ with: 'passkey' }]);
  });

  it('that is the highest says which keys count, once somebody has a passkey', () => {
    const text = rules(1, '{ some: [ann] }').replace(String(keys[0]), testPasskey().publicKey);
    expect(faults(text)).toEqual([
      expect.stringContaining('"large" is the highest approval, and does not say which keys count'),
    ]);
    const spelled = text.replace('within: 1', 'within: 1, with: any');
    expect(read(spelled).approvals).toMatchObject([{ with: undefined }]);
  });

  it('is decided by no passkey that signs in, and a new one of those needs no new version', () => {
    const text = rules(1, '{ some: [ann] }');
    const signIn = testPasskey().publicKey;
    const withSignIn = (line: string) =>
      text.replace(`keys: ["${keys[0]}"]`, `keys: ["${keys[0]}"], signIn: ["${line}"]`);
    const policy = read(withSignIn(signIn));
    expect(policy.signIn.get('ann')).toEqual([signIn]);
    expect(policy.digest).toBe(read(text).digest);
    expect(faults(withSignIn('passkey AAAA https://console.example.org abcdefgh'))).toEqual([
      expect.stringContaining('is no passkey: give the line that'),
    ]);
    const both = withSignIn(signIn).replace(String(keys[0]), signIn);
    expect(faults(both)[0]).toContain('This key is twice a key of ann');
  });

  it('needs to know who asks: a limit beside it without signedBy is refused', () => {
    const text = `${rules(1, '{ some: [ann] }')}\n${limit}`;
    expect(faults(text)).toEqual([
      expect.stringContaining('rules.1.signedBy: is missing. A policy with approvals has to know'),
    ]);
  });
});

const policies = join(__dirname, '..', '..', '..', 'docs', 'policies');
const examples = readdirSync(policies).filter((name) => name.endsWith('.yaml'));

it.each(examples)('reads the example %s', (name) => {
  const { limits, denials } = readPolicyFile(join(policies, name), { blockchain });
  expect([...limits, ...denials]).not.toEqual([]);
});

describe('a rule of checks', () => {
  const people = `people: { ann: { keys: ["${keys[0]}"] }, bo: { keys: ["${keys[1]}"] } }
groups: { treasurers: [ann], backends: [bo] }`;
  const approval =
    '{ id: large, kind: approval, above: "1000", need: 1, of: treasurers, within: 8 }';
  const withRule = (rule: string) => `version: 1\n${people}\nrules:
${limit.replace(' }', ', signedBy: backends }')}\n  - ${approval}\n  - ${rule}\n`;

  it('turns what checks find into refusals and approvals', () => {
    const rule = '{ id: payees, kind: check, checks: { newPayee: approve, lookAlike: refuse }, ';
    expect(read(withRule(`${rule} beyond: large, orders: [payout] }`)).checks).toEqual([
      {
        id: 'payees',
        orders: new Set(['payout']),
        wallets: undefined,
        checks: new Map([
          ['newPayee', true],
          ['lookAlike', false],
        ]),
        beyond: 'large',
      },
    ]);
  });

  it.each([
    ['{ lookalike: refuse }', '"lookalike" is no check. Name some of newPayee, lookAlike,'],
    ['{ burn: warn }', 'rules.2.checks.burn: "warn" must be refuse or approve.'],
    ['{ otherName: refuse }', 'otherName compares names of payees, which no signed call carries.'],
    ['{ farTotal: refuse }', 'farTotal compares the lines of a whole order, and a writer is given'],
    ['{ newPayee: approve }', 'payees: says approve, and names no approval rule with beyond.'],
    ['{ burn: refuse }, beyond: large', 'payees: has beyond, and none of its checks says approve.'],
    ['{ newPayee: approve }, beyond: none', '"none" is the id of no approval rule.'],
    ['{}', 'payees: names no check.'],
  ])('that cannot be kept is refused with its place: %s', (checks, words) => {
    const [fault = ''] = faults(withRule(`{ id: payees, kind: check, checks: ${checks} }`));
    expect(fault).toMatch(/^policy\.yaml:\d+:\d+: /);
    expect(fault).toContain(words);
  });
});
