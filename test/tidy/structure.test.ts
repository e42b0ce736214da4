import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { checkFolders, checkTestNames } from './files';
import { repositoryPaths, root, show } from './source';

const paths = repositoryPaths();
const rooms = ['src', 'workflows', 'activities', 'sandbox', 'proof', 'bench', 'scripts', 'test'];
const program = (name: string): string => join(root, 'node_modules', '.bin', name);

/** Runs a program to its end and returns all that it wrote. */
function run(name: string, args: readonly string[], cwd = root): Promise<string> {
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(program(name), [...args], options, (_, out, problems) => resolve(out + problems));
  });
}

const cruised = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

/** Breaches of the import rules, as "rule: from → to". */
async function breaches(folder: string, parts: readonly string[]): Promise<string[]> {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...parts];
  const { summary } = cruised.parse(JSON.parse(await run('depcruise', args, folder)));
  expect(summary.totalCruised).toBeGreaterThan(0);
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}

describe('the structure', () => {
  test('has import arrows that point one way, and no cycle, of types neither', async () => {
    expect(await breaches(root, rooms)).toEqual([]);
  });

  test('has no file and no dependency that nothing uses', async () => {
    expect(await run('knip', ['--no-progress'])).toBe('');
  });

  test('has folders that one can take in at one look', () => {
    expect(show(checkFolders(paths))).toBe('');
  });

  test('has tests that lie where their sources lie', () => {
    expect(show(checkTestNames(paths))).toBe('');
  });
});

describe('the import rules', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'steadfast-arrows-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
      cpSync(join(root, file), join(folder, file));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function plant(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  test('refuse each forbidden import, however it is written', async () => {
    plant('activities/pay.ts', 'export type Pay = 1;\nexport const pay = 1;\n');
    plant('workflows/types.ts', "import type { Pay } from '../activities/pay';\n");
    plant('workflows/value.ts', "import { type Pay, pay } from '../activities/pay';\n");
    plant('workflows/reexport.ts', "export { pay } from '../activities/pay';\n");
    plant('workflows/dynamic.ts', "export const z = () => import('zod');\n");
    plant('workflows/required.ts', "export const z = require('zod');\n");
    plant('workflows/random.ts', "import { randomUUID } from 'node:crypto';\nrandomUUID();\n");
    plant('src/custody/client.ts', 'export const client = 1;\n');
    plant('sandbox/server.ts', "import '../src/custody/client';\nexport type A = 1;\n");
    const sandboxType = "import type { A } from '../../sandbox/server';\n";
    plant('src/client/client.ts', `${sandboxType}import '../custody/networks/far';\n`);
    plant('src/custody/networks/far.ts', "import 'viem';\n");
    plant('src/log.ts', "import type { One } from './config';\nexport type Two = One;\n");
    plant('src/config.ts', "import type { Two } from './log';\nexport type One = Two;\n");
    plant('src/elsewhere/pay.ts', "import '../log';\n");
    plant('src/orders/pay.ts', "import '../../test/pay';\n");
    plant('test/pay.ts', 'export {};\n');
    const names = ['activities', 'workflows', 'src', 'sandbox', 'test'];
    const found = (await breaches(folder, names)).map((one) => one.split(' →')[0]);
    expect([...new Set(found)]).toEqual([
      'caller-is-light: src/client/client.ts',
      'client-types: src/client/client.ts',
      'no-client-in-sandbox: sandbox/server.ts',
      'no-cycle: src/config.ts',
      'no-proof-in-product: src/orders/pay.ts',
      'no-room: src/elsewhere/pay.ts',
      'orders-types: src/orders/pay.ts',
      'orders-values: src/orders/pay.ts',
      'sandbox-is-started-only: src/client/client.ts',
      'sandbox-types: sandbox/server.ts',
      'sandbox-values: sandbox/server.ts',
      'workflows-node: workflows/random.ts',
      'workflows-packages: workflows/dynamic.ts',
      'workflows-packages: workflows/required.ts',
      'workflows-values: workflows/reexport.ts',
      'workflows-values: workflows/value.ts',
    ]);
  });
});

describe('the check of files', () => {
  test('names a test that is about no file and no folder', () => {
    const about = ['test/pay.test.ts', 'test/orders/refused.test.ts', 'test/workflows/b.test.ts'];
    const others = ['test/more.test.ts', 'test/elsewhere/pay.test.ts'];
    const subjects = ['src/pay.ts', 'src/orders/read.ts', 'workflows/b.ts'];
    const found = checkTestNames([...subjects, ...about, ...others]);
    expect(found.map(({ path }) => path)).toEqual(others);
  });

  test('names a folder with too many files', () => {
    const many = Array.from({ length: 17 }, (_, index) => `src/pay/${index}.ts`);
    expect(checkFolders(many.slice(1))).toEqual([]);
    expect(checkFolders(many).map(({ path }) => path)).toEqual(['src/pay']);
  });
});
