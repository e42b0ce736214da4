import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getAddress } from 'viem';
import { edited } from '../../proof/sweep/planted/edit';
import { plant } from '../../proof/sweep/planted/plant';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import type { Child } from '../../src/local/childProcess';
import { startReady } from '../../src/local/startReady';
import { type Quay, startQuay } from '../support/everyKind';
import { temporalAddress } from '../support/temporal';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'how-to', 'add-a-workflow.md'), 'utf8');
const run = promisify(execFile);

/** A block of the page: the file that it is about, and its code or its change of that file. */
type Block = { file: string; language: string; text: string };

/** The page's blocks. A block without a file's name is about the same file as the one before. */
const blocks: readonly Block[] = page.split(/^(?=`[^`]+`:$)/m).flatMap((section) => {
  const [, file = ''] = /^`([^`]+)`:$/m.exec(section) ?? [];
  const found = section.matchAll(/^```(ts|diff)\n(.*?)^```$/gms);
  return [...found].map(([, language = '', text = '']) => ({ file, language, text }));
});

/** Does in a copy of the checkout what the page says. */
function follow(folder: string): void {
  for (const { file, language, text } of blocks) {
    const path = join(folder, file);
    if (language === 'ts') {
      expect(existsSync(path)).toBe(false);
      writeFileSync(path, text);
    } else {
      const [find, replace] = ['+', '-'].map((left) => without(left, text));
      const edit = { file, find: find ?? '', replace: replace ?? '' };
      writeFileSync(path, edited(readFileSync(path, 'utf8'), edit));
    }
  }
}

/** One side of a change: its lines without those that begin with a sign. */
function without(sign: string, change: string): string {
  const lines = change.split(/(?<=\n)/).filter((line) => !line.startsWith(sign));
  return lines.map((line) => line.slice(1)).join('');
}

describe('the example of "Add a workflow"', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'steadfast-added-')), 'checkout');
  const script = join(folder, 'scripts', 'steadfast.js');
  const taskQueue = `added-${process.pid}-${Date.now()}`;
  let quay: Quay;
  let worker: Child | undefined;

  beforeAll(async () => {
    plant({ edits: [] }, { root, folder });
    follow(folder);
    quay = await startQuay();
  });
  afterAll(async () => {
    await worker?.stop();
    await quay?.stop();
    rmSync(join(folder, '..'), { recursive: true });
  });

  test('is three files, and one registry row for each', () => {
    const files = blocks.filter(({ language }) => language === 'ts').map(({ file }) => file);
    expect(files).toEqual([
      'src/orders/burn.ts',
      'workflows/burnTokens.ts',
      'src/cli/commands/burn.ts',
    ]);
    const changed = blocks.filter(({ language }) => language === 'diff').map(({ file }) => file);
    expect([...new Set(changed)]).toEqual([
      'src/orders/kinds.ts',
      'workflows/index.ts',
      'src/cli/program.ts',
    ]);
  });

  test('compiles as it stands on the page', async () => {
    const project = join(folder, 'tsconfig.added.json');
    const files = ['src/cli/program.ts', 'workflows/index.ts', 'activities/index.ts'];
    writeFileSync(project, JSON.stringify({ extends: './tsconfig.json', include: [], files }));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [tsc, '-p', project]);
  });

  test('burns tokens on the chain, by its command and its worker', async () => {
    const { sandbox, orders, wallet, contractAddress } = quay;
    const { secrets, baseUrl } = sandbox;
    const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: taskQueue };
    const started = await startReady({
      name: 'The worker',
      command: [process.execPath, script, 'worker'],
      env: bareEnvironment({
        ...env,
        CUSTODY_BASE_URL: baseUrl,
        CUSTODY_API_KEY: secrets.apiKey,
        CUSTODY_ENTITY_SECRET: secrets.entitySecret,
        CHAIN_RPC_URL: sandbox.rpcUrl,
      }),
      ready: /^Worker ready/,
      timeoutMs: 180_000,
    });
    worker = started.child;
    const mint = { walletId: wallet.id, contractAddress, to: wallet.address, amount: '25' };
    await orders.steadfast.execute('mintTokens', `mint:${randomUUID()}`, mint);

    const id = `burn:${randomUUID()}`;
    const flags = ['--wallet', wallet.id, '--contract', contractAddress, '--amount', '7.5'];
    const burn = async (...more: string[]): Promise<unknown> => {
      // Debugged, it is not bundled, so that the copy leaves no bundle for this checkout to find.
      const args = [script, 'burn', ...flags, '--id', id, '--json', '--debug', ...more];
      return JSON.parse((await run(process.execPath, args, { env: bareEnvironment(env) })).stdout);
    };
    expect(await burn('--dry-run')).toMatchObject({
      writes: [{ target: 'burn/1#0', doing: `burn of 7.5 at ${getAddress(contractAddress)}` }],
      fee: { paidBy: 'paymaster' },
    });
    expect(await burn()).toMatchObject({
      end: 'done',
      receipt: { amount: '7.5' },
    });
    // The same command again burns nothing more.
    expect(await burn()).toMatchObject({ start: 'completed', end: 'done' });
    expect(await unitsOf('totalSupply()')).toBe(17_500_000_000_000_000_000n);
  });

  async function unitsOf(abiFunctionSignature: string): Promise<bigint> {
    const { sandbox, contractAddress: address } = quay;
    const call = { address, blockchain: 'ARC-TESTNET', abiFunctionSignature, abiParameters: [] };
    return BigInt((await sandbox.client.queryContract(call)).outputData);
  }
});
