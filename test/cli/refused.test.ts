import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/jest/setUp';
import { runCli } from './runCli';

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
const transfer = ['transfer', '--from', wallet, '--to', to, '--amount', '5', '--token', 'USDC'];
const secret = 'TEST_API_KEY:0123456789abcdef:fedcba9876543210';
/** Nothing listens there. A command that asks Temporal before it checks its input says so. */
const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };

const folder = newFolder();

const file = (name: string, text: string): string[] => {
  writeFileSync(join(folder, name), text);
  return ['transfer', '--id', 'a', '--file', join(folder, name)];
};

/** The refusal of each command line, on standard error alone and without a stack trace. */
async function refusals(rows: readonly string[][]): Promise<string[]> {
  const ran = await Promise.all(rows.map((args) => runCli(args, env)));
  return ran.map(({ code, stdout, stderr }, at) => {
    expect({ args: rows[at], code, stdout }).toEqual({ args: rows[at], code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: .+[.]\n$/);
    return stderr.trimEnd().replaceAll(folder, '<folder>');
  });
}

it('a command line that is wrong in itself', async () => {
  const rows = [
    ['pay'],
    ['trasnfer', '--amount', '5'],
    ['--fast'],
    ['status'],
    ['status', 'one', 'two'],
    ['doctor', 'now'],
    ['transfer', '--amuont', '5'],
    ['transfer', `--api-key=${secret}`],
    ['transfer', '--amount'],
    ['pause', 'transfer:1'],
    ['cancel', 'transfer:1', '--reason'],
    ['resolve', 'transfer:1', '--finding', 'completed'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "Error: "pay" is not a command. Did you mean: npx --no-install steadfast transfer, or npx --no-install steadfast payout for many? See npx --no-install steadfast --help.",
  "Error: "trasnfer" is not a command. Did you mean transfer? See npx --no-install steadfast --help.",
  "Error: --fast: is not a flag here. See npx --no-install steadfast --help.",
  "Error: <id>: is missing. See npx --no-install steadfast status --help.",
  "Error: Too many arguments for 'status'. Expected 1 argument but got 2. See npx --no-install steadfast status --help.",
  "Error: Too many arguments for 'doctor'. Expected 0 arguments but got 1. See npx --no-install steadfast doctor --help.",
  "Error: --amuont: is not a flag here. Did you mean --amount? See npx --no-install steadfast transfer --help.",
  "Error: --api-key=<API key> is not a flag here. See npx --no-install steadfast transfer --help.",
  "Error: --amount: needs a value: --amount <amount>. See npx --no-install steadfast transfer --help.",
  "Error: --reason: is missing: give --reason <text>. See npx --no-install steadfast pause --help.",
  "Error: --reason: needs a value: --reason <text>. See npx --no-install steadfast cancel --help.",
  "Error: --target: is missing: give --target <write>. See npx --no-install steadfast resolve --help.",
]
`);
});

it('an order of which everything is missing', async () => {
  const commands = ['deploy', 'transfer', 'mint', 'execute', 'fund', 'provision'];
  const sequences = [
    ['deploy', '--sequence'],
    ['transfer', '--sequence'],
  ];
  const rows = [...commands.map((command) => [command]), ...sequences];
  expect(await refusals(rows.map((args) => [...args, '--id', 'a']))).toMatchInlineSnapshot(`
[
  "Error: --wallet: is missing. Give --wallet <id>, the wallet that deploys. --name: is missing. Give --name <name>, the name of the contract.",
  "Error: --from: is missing. Give --from <wallet>, the sending wallet: its id or its address. --to: is missing. Give --to <address>, where it goes. --amount: is missing. Give --amount <amount>, in the token’s own units, such as 12.50. --token: is missing. Give --token <token>, USDC, EURC, native or the address of an ERC-20 contract.",
  "Error: --wallet: is missing. Give --wallet <id>, the wallet that mints. --contract: is missing. Give --contract <address>, the token’s contract. --to: is missing. Give --to <address>, who receives it. --amount: is missing. Give --amount <amount>, in the token’s own units, such as 1000000.",
  "Error: --wallet: is missing. Give --wallet <id>, the wallet that calls. --contract: is missing. Give --contract <address>, the contract. --function: is missing. Give --function <signature>, its name and types, such as "mintTo(address,uint256)".",
  "Error: --wallet: is missing. Give --wallet <wallet>, the wallet to fund: its id or its address. --amount: is missing. Give --amount <amount>, what it must hold at least, such as 20. --token: is missing. Give --token <token>, USDC, EURC, native or the address of an ERC-20 contract.",
  "Error: --name: is missing. Give --name <name>, the name of the wallet set.",
  "Error: --name: is missing. Give --name <name>, the name of the contract.",
  "Error: --name: is missing. Give --name <name>, with --sequence: the name of the wallet set. --amount: is missing. Give --amount <amount>, in the token’s own units, such as 12.50. --token: is missing. Give --token <token>, USDC, EURC, native or the address of an ERC-20 contract.",
]
`);
});

it('an order with flags that are wrong', async () => {
  const rows = [
    [...transfer, '--id', 'a', '--to', '0x12', '--amount', '-1', '--token', 'DAI'],
    [...transfer, '--id', 'a', '--amount', secret],
    [...transfer],
    [...transfer, '--id', 'invoice 1'],
    [...transfer, '--id', ''],
    [...transfer, '--id', 'a', '--timeout', '5'],
    [...transfer, '--id', 'a', '--timeout', '0s'],
    [...transfer, '--id', 'a', '--timeout', 'x'.repeat(500)],
    [...transfer, '--id', 'a', '--fee-level', 'fast', '--valid-until', 'tomorrow'],
    [...transfer, '--id', 'a', '--sequence', '--source', 'bank'],
    ['deploy', '--wallet', wallet, '--name', 'A', '--id', 'a', '--parameters', '[]'],
    ['deploy', '--wallet', 'till', '--name', 'A', '--id', 'a', '--mint', '1.5.0'],
    ['execute', '--id', 'a', '--parameters', '{}'],
    ['execute', '--id', 'a', '--parameters', `["${'x'.repeat(500)}`],
    ['provision', '--name', 'Tills', '--id', 'a', '--count', '1.5', '--account-type', 'sca'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "Error: --to: "0x12" is not an address: give 0x and 40 hexadecimal digits. --amount: "-1" is not an amount: give plain digits such as "12.50", no sign and no exponent. --token: "DAI" is not a known token: give USDC, EURC, native or the address of an ERC-20 contract.",
  "Error: --amount: "<API key>" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "Error: --id: is missing. Without a terminal, give an id of your own, such as transfer:invoice-1: started again under the same id, an order is not carried out twice.",
  "Error: --id: "invoice 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: --id: "" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: --timeout: "5" is not a duration: give 90s, 10m or 2h.",
  "Error: --timeout: "0s" is not a duration: give 90s, 10m or 2h.",
  "Error: --timeout: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is not a duration: give 90s, 10m or 2h.",
  "Error: --fee-level: "fast" must be one of LOW, MEDIUM, HIGH. --valid-until: "tomorrow" must be a moment such as "2026-01-31T12:00:00Z".",
  "Error: --name: is missing. Give --name <name>, with --sequence: the name of the wallet set. --source: "bank" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17". --from: {"walletId":"1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17"}, --to: "0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d" have no place in this order. Leave them out.",
  "Error: --parameters: "[]" is not a JSON object, such as '{"symbol": "ACME"}'.",
  "Error: --wallet: "till" must be a UUID such as "1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17". --mint: "1.5.0" is not an amount: give plain digits such as "12.50", no sign and no exponent.",
  "Error: --parameters: "{}" must be a JSON list, such as '["0x…", "5"]'.",
  "Error: --parameters: "[\\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… must be a JSON list, such as '["0x…", "5"]'.",
  "Error: --count: 1.5 must be a whole number. --account-type: "sca" must be one of SCA, EOA.",
]
`);
});

it('a file that holds no order', async () => {
  const rows = [
    ['transfer', '--id', 'a', '--file', join(folder, 'nowhere.json')],
    ['transfer', '--id', 'a', '--file', folder],
    file('payments.csv', 'to,amount\n0x12,5\n'),
    file('broken.json', '{"to": '),
    file('empty.json', ''),
    file('list.json', '[{"to": "0x12"}]'),
    file('text.json', '"transfer"'),
    file('broken.yaml', 'to: [0x12\n'),
    file('twice.yaml', 'to: 0x12\nto: 0x13\n'),
    file('several.yaml', 'to: 0x12\n---\nto: 0x13\n'),
    file('tagged.yaml', 'amount: !money 5\n'),
    file('list.yml', '- to: 0x12\n'),
    file('empty.yaml', ''),
    [...file('wrong.yaml', `amount: -1\nmemo: hello\napiKey: ${secret}\n`), '--to', '0x12'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "Error: --file: <folder>/nowhere.json cannot be read: it is not there.",
  "Error: --file: <folder> is neither .json nor .yaml.",
  "Error: --file: <folder>/payments.csv is neither .json nor .yaml.",
  "Error: --file: <folder>/broken.json is malformed: Unexpected end of JSON input.",
  "Error: --file: <folder>/empty.json is malformed: Unexpected end of JSON input.",
  "Error: --file: <folder>/list.json does not hold one order: {"amount": "12.50", …}.",
  "Error: --file: <folder>/text.json does not hold one order: {"amount": "12.50", …}.",
  "Error: --file: <folder>/broken.yaml is malformed: Flow sequence in block collection must be sufficiently indented and end with a ] at line 2, column 1.",
  "Error: --file: <folder>/twice.yaml is malformed: Map keys must be unique at line 2, column 1.",
  "Error: --file: <folder>/several.yaml is malformed: give each of its documents a file of its own.",
  "Error: from: is missing. It must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}. to: is missing. It must be text, in quotes. token: is missing. It must be text, in quotes.",
  "Error: --file: <folder>/list.yml does not hold one order: {"amount": "12.50", …}.",
  "Error: --file: <folder>/empty.yaml does not hold one order: {"amount": "12.50", …}.",
  "Error: from: is missing. It must be {"walletId": "<uuid>"} or {"walletAddress": "0x…"}. --to: "0x12" is not an address: give 0x and 40 hexadecimal digits. amount: -1 must be text, in quotes. token: is missing. It must be text, in quotes. memo: "hello", apiKey: "<API key>" have no place in this order. Leave them out.",
]
`);
});

it('what is asked about an order that cannot be', async () => {
  const reason = ['--reason', 'why'];
  const finding = ['--target', 'transfer/1#0', '--evidence', 'none', '--finding'];
  const rows = [
    ...['status', 'watch', 'resume', 'accelerate', 'resubmit'].map((name) => [name, 'invoice 1']),
    ...['cancel', 'pause'].map((name) => [name, 'invoice#1', ...reason]),
    ['resolve', 'x'.repeat(300), ...finding, 'noEffect'],
    ['cancel', 'transfer:1', '--reason', ''],
    ['pause', 'transfer:1', '--reason', '  '],
    ['resolve', 'transfer:1', ...finding, 'maybe'],
    ['resolve', 'transfer:1', ...finding, 'completed'],
    ['resubmit', 'transfer:1', '--timeout', 'soon'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "Error: id: "invoice 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "invoice 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "invoice 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "invoice 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "invoice 1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "invoice#1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "invoice#1" cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: id: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… cannot be used. Give up to 200 letters, digits and . _ : - that start with a letter or digit, such as transfer:invoice-4711.",
  "Error: --reason: is empty. Say why, for whoever reads this later.",
  "Error: --reason: is empty. Say why, for whoever reads this later.",
  "Error: --finding: "maybe" must be one of completed, noEffect, retry, skip.",
  "Error: --evidence: "none" must be the id of the transaction, or its hash (0x…).",
  "Error: --timeout: "soon" is not a duration: give 90s, 10m or 2h.",
]
`);
});

it('a list that cannot be', async () => {
  const limits = ['0', '-1', 'abc', '1001', '1e2', '0x10', '1.5', ''];
  const rows = [
    ...limits.map((limit) => ['list', '--limit', limit]),
    ['list', '--status', 'fine'],
    ['list', '--kind', 'pay'],
  ];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "Error: --limit: "0" must be a whole number from 1 to 1000.",
  "Error: --limit: "-1" must be a whole number from 1 to 1000.",
  "Error: --limit: "abc" must be a whole number from 1 to 1000.",
  "Error: --limit: "1001" must be a whole number from 1 to 1000.",
  "Error: --limit: "1e2" must be a whole number from 1 to 1000.",
  "Error: --limit: "0x10" must be a whole number from 1 to 1000.",
  "Error: --limit: "1.5" must be a whole number from 1 to 1000.",
  "Error: --limit: "" must be a whole number from 1 to 1000.",
  "Error: --status: "fine" must be one of Preparing, Waiting, Settling, Paused, NeedsApproval, Unknown, NeedsOperator, Done, Refused, Failed, Cancelled.",
  "Error: --kind: "pay" must be a command (provision, deploy, mint, execute, fund, transfer, sweep, payout) or a workflow (provisionWallets, deployContract, mintTokens, executeContract, fundWallet, transferStablecoin, sweepWallets, deploymentSequence, transferSequence, payout).",
]
`);
});

it('a rate that is none', async () => {
  const rates = ['0', '-1', 'fast', '10001', '1e3', '0.0001', ''];
  const rows = [...rates.map((rate) => ['rate', '--writes', rate]), ['rate', '--reads', 'none']];
  expect(await refusals(rows)).toMatchInlineSnapshot(`
[
  "Error: --writes: "0" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --writes: "-1" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --writes: "fast" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --writes: "10001" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --writes: "1e3" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --writes: "0.0001" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --writes: "" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
  "Error: --reads: "none" must be a number from above 0 to 10000, off (no limit) or default (as workers are started). To hold orders back altogether, pause them.",
]
`);
});

describe('with --json', () => {
  it.each([
    [[...transfer, '--id', 'a', '--amount', '0'], 'amount: "0" must be more than zero.'],
    [['status', 'invoice 1'], 'id: "invoice 1" cannot be used. Give up to 200 letters, digits and'],
    [['list', '--limit', '0'], '--limit: "0" must be a whole number from 1 to 1000.'],
    [
      ['transfer', '--fast'],
      '--fast: is not a flag here. See npx --no-install steadfast transfer --help.',
    ],
    [
      ['payouts'],
      '"payouts" is not a command. Did you mean: npx --no-install steadfast list --kind payout?',
    ],
    [['payout', 'list'], '"list" is no command of payout, and no file here. Did you mean: npx'],
    [['wallet', 'list'], 'All wallets are listed by: npx --no-install steadfast wallets'],
    [
      ['pay'],
      '"pay" is not a command. Did you mean: npx --no-install steadfast transfer, or npx --no-install steadfast payout for many? See npx --no-install steadfast --help.',
    ],
  ])('%j is one document, and the same sentence beside it', async (args, sentence) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], env);
    const document = JSON.parse(stdout);
    expect(document).toEqual({ end: 'badInput', message: expect.stringContaining(sentence) });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `Error: ${document.message}\n` });
  });
});

describe('with --debug', () => {
  const wrong = [...transfer, '--id', 'a', '--amount', '0'];

  it.each([
    ['after the command', [...wrong, '--debug']],
    ['before it', ['--debug', ...wrong]],
  ])('the sentence is followed by where it came from: %s', async (_, args) => {
    const { code, stdout, stderr } = await runCli(args, env);
    expect(stderr).toMatch(/^Error: --amount: "0" must be more than zero\.\nInputError: /);
    expect(stderr).toMatch(/^ {4}at readOrder \(.*read\.ts:\d+:\d+\)$/m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('what caused an error is told too, and the document stays as it is', async () => {
    const { code, stdout, stderr } = await runCli(['list', '--debug', '--json'], env);
    expect(stderr).toMatch(/^Error: Temporal cannot be reached at 127\.0\.0\.1:1 /);
    expect(stderr.match(/^\w*Error: .*\n {4}at /gm)?.length).toBeGreaterThan(1);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['end', 'message']);
    expect(code).toBe(2);
  });
});

it('without --debug there is no stack trace, even where Temporal is not there', async () => {
  const { code, stdout, stderr } = await runCli([...transfer, '--id', 'a'], env);
  expect(stderr).toMatch(/^Error: Temporal cannot be reached at .*\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
