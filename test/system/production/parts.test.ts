import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { codeIn } from '../../support/package/page';
import { countTransfers, startTestStack, type TestStack } from '../../support/stack';

const run = promisify(execFile);
const root = join(__dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'steadfast-parts-'));
const megabyte = 1_000_000;
let packed: string[];

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(root, 'scripts', 'pack.js'), folder]);
  packed = stdout.trim().split('\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A fresh project with a package, and all that npm installs for it. */
async function install(file: string | undefined, name: string): Promise<string> {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "a-team", "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...flags, file ?? ''], { cwd: project });
  return project;
}

/** The sum of all files below a folder. */
function bytesOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

/** The room of a folder on a disk with blocks of 4 KiB, as `du` counts it. */
function diskBytesOf(path: string): number {
  const found = lstatSync(path);
  const own = Math.ceil(found.size / 4_096) * 4_096;
  if (!found.isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + diskBytesOf(join(path, name)), own);
}

function namesIn(project: string): string[] {
  return readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' });
}

const programs = {
  'pay-list.mts': 'docs/how-to/pay-a-list-from-your-backend.md',
  'state.mts': 'docs/how-to/show-an-orders-state.md',
  'on-end.mts': 'docs/how-to/react-when-it-ends.md',
};

describe('the package for callers alone', () => {
  let project: string;
  let stack: TestStack;
  let wallet: Wallet;
  const [january, invoice] = [`january-${randomUUID()}`, `transfer:invoice-${randomUUID()}`];

  beforeAll(async () => {
    [project, stack] = await Promise.all([install(packed[0], 'backend'), startTestStack()]);
    wallet = await stack.fundedWallet('EOA');
    for (const [name, page] of Object.entries(programs)) {
      const [code = ''] = codeIn(page, 'ts');
      const own = code
        .replaceAll('<wallet id>', wallet.id)
        .replace('january', january)
        .replace('transfer:invoice-4801', invoice);
      writeFileSync(join(project, name), own);
      const module = ts.ModuleKind.ESNext;
      const compilerOptions = { module, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(own, { compilerOptions });
      writeFileSync(join(project, name.replace('.mts', '.mjs')), outputText);
    }
  });
  afterAll(() => stack?.stop());

  /** The lines that a program of a page prints, against the running stack. */
  async function printed(...command: string[]): Promise<string[]> {
    const { address } = stack.parts.temporal;
    const { PATH } = process.env;
    const env = { PATH, TEMPORAL_ADDRESS: address, STEADFAST_TASK_QUEUE: stack.parts.taskQueue };
    return (await run(process.execPath, command, { cwd: project, env })).stdout.trim().split('\n');
  }

  test('is less than 1 MB, and less than 60 MB with all that it needs', () => {
    const sizes = {
      packed: statSync(packed[0] ?? '').size,
      unpacked: bytesOf(join(project, 'node_modules', '@steadfast', 'client')),
      installed: diskBytesOf(join(project, 'node_modules')),
    };
    const told = Object.entries(sizes).map(([name, size]) => `${name} ${size / megabyte} MB`);
    process.stderr.write(`The client: ${told.join(', ')}\n`);
    expect(sizes.packed).toBeLessThan(0.5 * megabyte);
    expect(sizes.unpacked).toBeLessThan(megabyte);
    expect(sizes.installed).toBeLessThan(60 * megabyte);
  });

  test('brings no chain, no compiler, no native server, and no file of ours that it does not need', () => {
    const names = namesIn(project);
    const heavy =
      /^(viem|solc|libsql|fastify|@foundry-rs|@temporalio\/(worker|core-bridge|testing))/;
    expect(names.filter((name) => heavy.test(name) || name.endsWith('.node'))).toEqual([]);
    const own = names.filter((name) => name.startsWith('@steadfast/client/dist/'));
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((name) => /\/(cli|worker|sandbox|store|books)\//.test(name))).toEqual([]);
    expect(names).toContain('@steadfast/client/schemas/payout.order.json');
  });

  test('has types that fit the programs of the pages', async () => {
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
    const flags = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext'];
    const command = [...flags, '--skipLibCheck', ...types, ...Object.keys(programs)];
    const compiler = require.resolve('typescript/bin/tsc');
    await run(process.execPath, [compiler, ...command], { cwd: project });
  });

  test('pays a list, reads what became of each line, and pays nothing when it runs again', async () => {
    const first = await printed('pay-list.mjs');
    expect(first).toEqual([
      '2 paid, 0 failed, 0 unknown',
      expect.stringMatching(/^invoice-1 paid 0x[0-9a-f]{64}$/),
      expect.stringMatching(/^invoice-2 paid 0x[0-9a-f]{64}$/),
    ]);
    expect(await printed('pay-list.mjs')).toEqual(first);
    const to = '0x523be5c33df156e5104b878dba71445db985ec7d';
    const transfer = { from: wallet.address, to, amount: '1.50' };
    expect(await countTransfers(stack.chain, transfer)).toBe(1);
  });

  test('shows the state of an order, and of one that is not there', async () => {
    const [lead, status] = await printed('state.mjs', `payout:${january}`);
    expect(lead).toBe(`payout:${january} is a payout: COMPLETED`);
    expect(status).toMatch(/^Done: /);
    const none = await printed('state.mjs', 'transfer:nobody');
    expect(none).toEqual(['id: Temporal knows no order "transfer:nobody".']);
  });

  test('tells how an order ended, and the same when it is asked again', async () => {
    const first = await printed('on-end.mjs');
    expect(first).toEqual([expect.stringMatching(/^invoice-4801 is paid: 0x[0-9a-f]{64}$/)]);
    expect(await printed('on-end.mjs')).toEqual(first);
  });
});

describe('the package of the sandbox alone', () => {
  let project: string;

  beforeAll(async () => {
    project = await install(packed[1], 'tests');
    const [, ...rest] = codeIn('docs/how-to/test-against-the-sandbox.md', 'js').reverse();
    const [code = ''] = codeIn('docs/how-to/test-against-the-sandbox.md', 'js');
    expect(rest).toEqual([]);
    writeFileSync(join(project, 'till.test.mjs'), code);
    mkdirSync(join(project, 'node_modules', '@circle-fin'), { recursive: true });
    const sdk = join('node_modules', '@circle-fin', 'developer-controlled-wallets');
    symlinkSync(join(root, sdk), join(project, sdk));
  });

  test('brings nothing of Temporal, and tells its size', () => {
    expect(namesIn(project).filter((name) => name.startsWith('@temporalio'))).toEqual([]);
    const installed = diskBytesOf(join(project, 'node_modules')) / megabyte;
    process.stderr.write(`The sandbox: ${installed} MB installed\n`);
    expect(bytesOf(join(project, 'node_modules', '@steadfast'))).toBeLessThan(megabyte);
  });

  test("sends a transfer in a team's own test", async () => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME };
    const { stdout } = await run(process.execPath, ['--test'], { cwd: project, env });
    expect(stdout).toMatch(/^# pass 1$/m);
  });

  test('has the command that runs it, and no other', async () => {
    const steadfast = join(project, 'node_modules', '.bin', 'steadfast');
    const { stdout } = await run(steadfast, ['sandbox', '--help'], { cwd: project });
    expect(stdout).toContain('--data-dir <folder>');
    await expect(run(steadfast, ['doctor'], { cwd: project })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"doctor" is not a command'),
    });
  });
});
