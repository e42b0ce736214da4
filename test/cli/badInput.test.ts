import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ran, runCli } from './runCli';

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
const to = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
const oneDigitOff = to.replace('9B', '9b');
const notAnAmount = 'is not an amount: give plain digits such as "12.50", no sign and no exponent.';
const keys = {
  CUSTODY_BASE_URL: 'http://127.0.0.1:1/v1/w3s',
  CUSTODY_API_KEY: 'TEST_API_KEY:a:b',
  CUSTODY_ENTITY_SECRET: 'a'.repeat(64),
};

const folder = mkdtempSync(join(tmpdir(), 'steadfast-cli-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** A transfer that is right but for the flags that are given. */
function transfer(flags: Record<string, string> = {}): string[] {
  const all = { from: wallet, to, amount: '5', token: 'USDC', id: 'transfer:1', ...flags };
  return ['transfer', ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])];
}

const deploy = ['deploy', '--sequence', '--name', 'Acme', '--id', 'deploy:1'];

type Case = [what: string, args: string[], sentence: string, env?: Record<string, string>];

const cases: Case[] = [
  ['an address that is too short', transfer({ to: '0x12' }), 'to: "0x12" is not an address'],
  [
    'an address with a wrong checksum',
    transfer({ to: oneDigitOff }),
    `to: "${oneDigitOff}" has a wrong checksum (EIP-55)`,
  ],
  ['a wallet that is none', transfer({ from: 'till' }), 'from'],
  ['a negative amount', transfer({ amount: '-1' }), `amount: "-1" ${notAnAmount}`],
  ['an amount of zero', transfer({ amount: '0' }), 'amount: "0" must be more than zero.'],
  [
    'too many decimals',
    transfer({ amount: '1.1234567' }),
    'amount: "1.1234567" has 7 decimals, but USDC has 6.',
  ],
  ['an exponent', transfer({ amount: '1e3' }), `amount: "1e3" ${notAnAmount}`],
  ['digits of another script', transfer({ amount: '١٢' }), `amount: "١٢" ${notAnAmount}`],
  ['an unknown token', transfer({ token: 'DAI' }), 'token: "DAI" is not a known token'],
  ['a wrong date', transfer({ 'valid-until': 'soon' }), '--valid-until: "soon"'],
  [
    'a time of a day that no month has',
    ['archive', 'rebuild', '--from', '2026-02-30T00:00:00Z'],
    '--from: "2026-02-30T00:00:00Z" is no day such as 2026-01-31',
    keys,
  ],
  ['a wrong duration', transfer({ timeout: '5' }), '--timeout: "5" is not a duration'],
  [
    'a wrong duration for a close',
    ['close', '2026-11-23', '--timeout', 'soon'],
    '--timeout: "soon" is not a duration',
  ],
  [
    'an unknown template',
    [...deploy, '--template', 'coin'],
    '--template: "coin" is not a known template',
  ],
  [
    'a fee without its recipient',
    [...deploy, '--fee-percent', '0.1'],
    '--fee-percent: "0.1" needs platformFeeRecipient (--fee-recipient)',
  ],
  [
    'parameters that are not JSON',
    [...deploy, '--parameters', '{a}'],
    '--parameters: "{a}" is not a JSON object',
  ],
  ['a count that is no number', ['provision', '--name', 'x', '--count', 'two'], '--count: "two"'],
  [
    'a recipient where a sequence makes its own',
    ['transfer', '--sequence', '--to', to, '--amount', '5', '--token', 'USDC', '--id', 'a'],
    'has no place in this order. Leave it out.',
  ],
  [
    'no id without a terminal',
    transfer().slice(0, -2),
    '--id: is missing. Without a terminal, give an id of your own, such as transfer:invoice-1',
  ],
  ['an unknown option', [...transfer(), '--fast'], '--fast: is not a flag here.'],
  ['an unknown command', ['pay'], '"pay" is not a command.'],
  [
    'a file that is not there',
    ['transfer', '--file', '/nowhere/order.json', '--id', 'a'],
    '--file: /nowhere/order.json cannot be read: it is not there',
  ],
  [
    'a file that is not JSON',
    ['transfer', '--file', file('broken.json', '{"to": '), '--id', 'a'],
    'broken.json is malformed',
  ],
  [
    'a field of the file that has no meaning',
    [...transfer(), '--file', file('more.yaml', 'memo: hello\n')],
    'memo: "hello" has no place in this order. Leave it out.',
  ],
  ['a missing variable', ['worker'], 'CUSTODY_BASE_URL: is not set.'],
  [
    'a malformed API key',
    ['worker'],
    'CUSTODY_API_KEY: must be TEST_API_KEY:<id>:<secret>',
    { ...keys, CUSTODY_API_KEY: 'sesame' },
  ],
  [
    'a malformed entity secret',
    ['worker'],
    'CUSTODY_ENTITY_SECRET: must be 64 lowercase hexadecimal characters.',
    { ...keys, CUSTODY_ENTITY_SECRET: 'A1' },
  ],
  [
    'a malformed queue name',
    transfer(),
    'STEADFAST_TASK_QUEUE: must be a plain name.',
    { STEADFAST_TASK_QUEUE: 'a b' },
  ],
];

describe('bad input ends with its sentence and exit code 2, and reaches nobody:', () => {
  const ran = new Map<string, Ran>();
  let connections = 0;
  let server: Server;

  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const temporal = { TEMPORAL_ADDRESS: `127.0.0.1:${port}` };
    await Promise.all(
      cases.map(async ([what, args, , env]) => {
        ran.set(what, await runCli(args, { ...temporal, ...env }));
      }),
    );
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(cases)('%s', (what, _args, sentence) => {
    const { code, stdout, stderr } = ran.get(what) ?? {};
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('never connects to Temporal', () => {
    expect(connections).toBe(0);
  });

  it('shows no secret', () => {
    expect(ran.get('a malformed API key')?.stderr).not.toContain('sesame');
  });
});

describe('with --json', () => {
  it('prints bad input as one document, and the sentence beside it', async () => {
    const { code, stdout, stderr } = await runCli([...transfer({ amount: '0' }), '--json']);
    const message = '--amount: "0" must be more than zero.';
    expect(JSON.parse(stdout)).toEqual({ end: 'badInput', message });
    expect(stderr).toBe(`Error: ${message}\n`);
    expect(code).toBe(2);
  });

  it('prints an unknown option as one document', async () => {
    const { code, stdout } = await runCli([...transfer(), '--json', '--fast']);
    expect(JSON.parse(stdout)).toMatchObject({ end: 'badInput' });
    expect(code).toBe(2);
  });
});
