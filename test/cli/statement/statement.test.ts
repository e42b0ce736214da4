import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { createPublicClient, erc20Abi, getAddress, http } from 'viem';
import { inHledger } from '../../../src/books/form/hledger';
import type { StatementRow } from '../../../src/books/statement';
import { run } from '../../../src/cli/run';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import { hledgerProgram } from '../../support/books/hledger';
import { xsdValidator } from '../../support/package/iso20022';
import { eurc, transferOf } from '../../support/sandbox';
import { type ServiceProxy, startProxy } from '../../support/service/proxy';
import { inStagedSandbox, someone } from '../../support/stages';
import { runCli } from '../runCli';

const sandbox = inStagedSandbox();
let eoa: Wallet;
let sca: Wallet;
const folder = mkdtempSync(join(tmpdir(), 'statement-'));
const from = ['--from', '2020-01-01'];

beforeAll(async () => {
  eoa = await sandbox.usedWallet('EOA');
  sca = await sandbox.usedWallet('SCA');
  const written = { workflowId: 'transfer:invoice-1', step: 'transfer', item: '1', generation: 0 };
  for (const wallet of [eoa, sca]) {
    await pay(wallet, someone(), { amounts: ['0.5'], tokenAddress: '' });
    await pay(wallet, sca.address, { refId: refId(written) });
  }
  await sandbox.plan('failOnChain');
  await pay(eoa, someone());
});

function pay(wallet: Wallet, to: string, fields: object = {}) {
  return sandbox.client
    .createTransfer(transferOf(wallet, to, fields))
    .then(({ id }) => sandbox.settled(id));
}

function env(): Record<string, string> {
  const { baseUrl, rpcUrl, secrets } = sandbox;
  return {
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: secrets.apiKey,
    CHAIN_RPC_URL: rpcUrl,
  };
}

/** The journal of the next period, in which nothing has happened yet. */
async function nextJournal(rows: readonly StatementRow[]): Promise<string> {
  async function* opening() {
    for (const row of rows.filter((one) => one.row === 'closing')) {
      yield { ...row, row: 'opening' as const };
    }
  }
  let text = '';
  for await (const entry of inHledger(opening())) text += entry;
  return text;
}

async function statement(...args: string[]) {
  const wallets = ['--wallet', eoa.id, '--wallet', sca.address];
  return runCli(['statement', ...wallets, ...from, ...args], env());
}

async function rowsOf(...args: string[]): Promise<StatementRow[]> {
  const { stdout, stderr, code } = await statement(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a statement', () => {
  test('ends with the balances of the chain, which are the sums of its rows', async () => {
    const chain = createPublicClient({ transport: http(sandbox.rpcUrl) });
    const rows = await rowsOf();
    for (const { address } of [eoa, sca]) {
      const holder = getAddress(address);
      const call = { address: getAddress(eurc), abi: erc20Abi } as const;
      const shown = {
        USDC: await chain.getBalance({ address: holder }),
        EURC: await chain.readContract({ ...call, functionName: 'balanceOf', args: [holder] }),
      };
      for (const [token, units] of Object.entries(shown)) {
        const own = rows.filter((row) => row.wallet === address && row.token === token);
        expect(own.at(-1)).toMatchObject({ row: 'closing', balanceBaseUnits: `${units}` });
        expect(sumOf(own)).toBe(units);
      }
      expect(rows.filter(({ token }) => !(token in shown))).toEqual([]);
    }
  });

  test('tells the order of a record, its counterparty, hash and log index', async () => {
    const rows = await rowsOf();
    const own = rows.filter(({ row, order }) => row === 'out' && order === 'transfer:invoice-1');
    expect(own.map(({ wallet, amount }) => ({ wallet, amount }))).toEqual([
      { wallet: eoa.address, amount: '1' },
    ]);
    expect(own[0]).toMatchObject({
      counterparty: sca.address,
      txHash: expect.stringMatching(/^0x/),
      logIndex: expect.any(Number),
      transactionId: expect.any(String),
      state: 'COMPLETE',
    });
  });

  test('has gas in rows of its own, also of a transaction that failed, and sponsored gas', async () => {
    const rows = await rowsOf();
    const fees = rows.filter(({ row }) => row === 'fee');
    expect(fees.length).toBe(4);
    expect(fees.filter(({ failed }) => failed).map(({ state }) => state)).toEqual(['FAILED']);
    const sponsored = rows.filter(({ row }) => row === 'sponsored');
    expect(sponsored.length).toBeGreaterThan(1);
    expect(new Set(sponsored.map(({ wallet }) => wallet))).toEqual(new Set([sca.address]));
  });

  test('begins with the balance at the block before its period', async () => {
    const all = await rowsOf();
    const times = [...new Set(all.map(({ time }) => time))].sort();
    const middle = times[Math.floor(times.length / 2)] ?? '';
    const later = await rowsOf('--from', middle);
    const before = all.filter((row) => row.row !== 'closing' && row.time < middle);
    for (const { wallet, token, balance } of later.filter(({ row }) => row === 'opening')) {
      const own = before.filter((row) => row.wallet === wallet && row.token === token);
      expect(balance).toBe(own.at(-1)?.balance);
    }
  });
});

/** Opening balance and movements of one wallet and token. */
function sumOf(rows: readonly StatementRow[]): bigint {
  return rows.reduce((sum, { row, baseUnits = '0', balanceBaseUnits = '0' }) => {
    if (row === 'opening') return BigInt(balanceBaseUnits);
    if (row === 'in') return sum + BigInt(baseUnits);
    return row === 'out' || row === 'fee' ? sum - BigInt(baseUnits) : sum;
  }, 0n);
}

test('USDC and the native coin are one balance, and a drip of both faces comes in once', async () => {
  const { id } = await sandbox.fundedWallet('EOA');
  const ran = await runCli(['statement', '--wallet', id, ...from], env());
  expect(ran).toMatchObject({ code: 0 });
  const rows: StatementRow[] = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const told = rows.filter(({ row }) => row !== 'opening');
  expect(told.map(({ row, token, amount, balance }) => [row, token, amount ?? balance])).toEqual([
    ['in', 'USDC', '20'],
    ['in', 'EURC', '20'],
    ['closing', 'EURC', '20'],
    ['closing', 'USDC', '20'],
  ]);
});

describe('the forms of a statement', () => {
  test('CSV has the rows of JSON Lines', async () => {
    const { stdout } = await statement('--format', 'csv');
    const cells: Record<string, string>[] = parse(stdout, { columns: true });
    const rows = await rowsOf();
    expect(cells.map(({ row, amount, balance }) => ({ row, amount, balance }))).toEqual(
      rows.map(({ row, amount = '', balance }) => ({ row, amount, balance })),
    );
  });

  const hledger = hledgerProgram();
  (hledger === undefined ? test.skip : test)(
    'hledger finds its journal right, and the same balance where the next one is joined to it',
    async () => {
      const path = join(folder, 'books.journal');
      expect(await statement('--format', 'hledger', '--out', path)).toMatchObject({ code: 0 });
      hledger?.('--strict', '-f', path, 'check');
      const rows = await rowsOf();
      const both = join(folder, 'both.journal');
      writeFileSync(both, `include ${path}\n${await nextJournal(rows)}`);
      hledger?.('--strict', '-f', both, 'check');
      const account = `assets:wallets:${eoa.address}`;
      const args = ['-f', both, 'balance', account, 'cur:USDC', '--format', '%(total)', '-N'];
      const told = hledger?.(...args) ?? '';
      const closing = rows.findLast(
        ({ wallet, token }) => wallet === eoa.address && token === 'USDC',
      );
      const [amount = ''] = told.trim().split(' ');
      expect(toBaseUnits(amount, 18)).toBe(BigInt(closing?.balanceBaseUnits ?? -1));
    },
  );

  (hledger === undefined ? test.skip : test)(
    'hledger reads a reference of any characters, but commas and line ends',
    async () => {
      const row = (await rowsOf()).find((one) => one.row === 'out');
      if (row === undefined) throw new Error('Nothing went out.');
      let text = '';
      const own = { ...row, order: 'transfer:a;b|c', reference: 'march;4714|a, b' };
      for await (const entry of inHledger(Readable.from([own]))) text += entry;
      const path = join(folder, 'references.journal');
      writeFileSync(path, text);
      const find = ['-f', path, '-I', 'print', 'tag:order=^transfer:a;b[|]c$'];
      const told = hledger?.(...find, 'tag:reference=^march;4714[|]a  b$');
      expect(told).toContain('sent | transfer:a b c');
    },
  );

  const validate = xsdValidator();
  (validate === undefined ? test.skip : test)('camt.053 is valid for its schema', async () => {
    const path = join(folder, 'books.xml');
    const ran = await statement('--format', 'camt053', '--out', path);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('add up') });
    expect(validate?.('camt.053.001.12', path)).toBe('valid');
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(`<Id>${eoa.address}</Id>`);
    // The period is the one that was asked for, and an opening balance has the time of its block.
    expect(text).toContain('<FrDtTm>2020-01-01T00:00:00');
  });

  test('the plot is a picture of each token', async () => {
    const path = join(folder, 'books.svg');
    await statement('--plot', path);
    const svg = readFileSync(path, 'utf8');
    for (const token of ['USDC', 'EURC']) expect(svg).toContain(`${token}: balance`);
    expect(svg).not.toContain('native');
    expect(svg).not.toContain('NaN');
  });
});

describe('a statement is refused in a sentence, and nothing is written', () => {
  const bank = ['--format', 'camt053'];
  test.each([
    ['a period without blocks', ['--from', '2020-01-01', '--to', '2020-01-02'], 'no final block'],
    ['a wallet of somebody else', ['--wallet', someone()], 'is no wallet of this account'],
    ['a day that no month has', ['--to', '2026-02-30'], 'is no day such as'],
    ['a time of such a day', ['--to', '2026-11-31T00:00:00Z'], 'is no day such as'],
    ['an end before the beginning', ['--to', '2019-01-01'], 'is not after'],
    ['a beginning that is to come', ['--from', '2999-01-01'], '--from: 2999-01-01 has not begun'],
    ['a form that is none', ['--format', 'pdf'], 'is not one of'],
    ['a version that is none', [...bank, '--camt-version', '03'], 'is not one of 02, 08, 12'],
    ['a currency that is none', [...bank, '--currency', 'USDC=UDS'], 'currency of ISO 4217'],
    ['a currency of no token', [...bank, '--currency', 'USDT=USD'], 'that ARC-TESTNET lists'],
    ['two currencies', [...bank, '--currency', 'USDC=USD,USDC=EUR'], 'has two currencies'],
    ['a currency where none is', ['--format', 'csv', '--currency', 'USDC=USD'], 'camt053 alone'],
    ['a node that is away', ['--rpc', 'http://127.0.0.1:1'], 'does not tell'],
    ['a picture in no folder', ['--plot', join(folder, 'none', 'a.svg')], '--plot: /'],
  ])('%s', async (_, args, words) => {
    const path = join(folder, 'refused.jsonl');
    const ran = await statement(...args, '--out', path);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(ran.stderr.trim().split('\n').length).toBe(1);
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });
});

test('a bank CSV is refused without a folder, and with a file in its place', async () => {
  const form = ['--rpc', 'http://127.0.0.1:1', '--format', 'bank-csv'];
  expect(await statement(...form)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name a folder for them'),
  });
  const file = join(folder, 'is-a-file');
  writeFileSync(file, '');
  expect(await statement(...form, '--out', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is a file. Name a folder.'),
  });
});

test('a folder of a bank CSV with files of another statement is refused, and stays as it was', async () => {
  const out = join(folder, 'november');
  const bank = () => statement('--format', 'bank-csv', '--out', out);
  expect([(await bank()).code, (await bank()).code]).toEqual([0, 0]);
  const written = readdirSync(out);
  writeFileSync(join(out, 'october.CSV'), '');
  rmSync(join(out, String(written[0])));
  const { code, stderr } = await bank();
  expect(stderr).toContain('november holds october.CSV, which this statement does not write.');
  expect([code, ...readdirSync(out)]).toEqual([2, ...written.slice(1), 'october.CSV']);
});

test('a statement is a table on a terminal, and JSON Lines where nobody looks', async () => {
  const first = async (stdout: PassThrough & { isTTY?: boolean }): Promise<string> => {
    const stdin = new PassThrough();
    const args = ['statement', '--wallet', eoa.id, ...from];
    const terminal = { env: env(), stdin, stdout, stderr: new PassThrough() };
    expect(await run(args, terminal)).toBe(0);
    return String(stdout.read()).split('\n')[0] ?? '';
  };
  expect(await first(Object.assign(new PassThrough(), { isTTY: true }))).toMatch(/^time \(UTC\)/);
  expect(await first(new PassThrough())).toMatch(/^\{"row":"opening"/);
});

test('a folder in the place of a file is refused before anything is read', async () => {
  const ran = await statement('--rpc', 'http://127.0.0.1:1', '--out', folder);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('is a folder') });
});

describe('a node that has forgotten the period', () => {
  let node: ServiceProxy;
  beforeAll(async () => {
    node = await startProxy();
    node.forwardTo(sandbox.rpcUrl);
  });
  afterAll(() => node.close());

  test.each([
    [
      'and says so',
      answering({ error: { code: -32000, message: 'pruned' } }),
      2,
      'has no block older',
    ],
    ['and shows no logs and receipts of it', answering({ result: [] }), 2, 'keeps all receipts'],
  ])('%s', async (_, lie, code, words) => {
    node.lie = lie;
    const path = join(folder, 'forgotten.jsonl');
    const rpcUrl = new URL(new URL(sandbox.rpcUrl).pathname, node.baseUrl).href;
    const ran = await statement('--rpc', rpcUrl, '--out', path);
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining('CHAIN_RPC_URL: the node') });
    expect(ran.stderr).toContain(words);
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });
});

type RpcAnswer = { id: number; result?: unknown };

/** A node's answer in the place of each list of logs or receipts. */
function answering(answer: object): ServiceProxy['lie'] {
  return (_, text) => {
    const told: RpcAnswer | RpcAnswer[] = JSON.parse(text);
    const change = (one: RpcAnswer): object =>
      Array.isArray(one.result) ? { jsonrpc: '2.0', id: one.id, ...answer } : one;
    return { text: JSON.stringify(Array.isArray(told) ? told.map(change) : change(told)) };
  };
}

test.each([
  ['an index without a store', ['--indexed'], '--indexed: needs the index'],
  ['an end of a watch', ['--watch', '--to', '2030-01-01'], '--to: has no meaning'],
])('a reconciliation is refused in a sentence: %s', async (_, args, words) => {
  const path = join(folder, 'refused-rows.jsonl');
  const ran = await runCli(['reconcile', ...from, ...args, '--out', path], env());
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
});
