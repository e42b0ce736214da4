import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { version } from '../../../package.json';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { type Child, startChild } from '../../../src/local/childProcess';
import { limitVariables } from '../../../src/local/limitVariables';
import { installPackage } from '../../support/package/installPackage';
import { codeIn } from '../../support/package/page';
import { temporalAddress } from '../../support/temporal';

const root = join(__dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'steadfast-package-'));
const project = join(folder, 'project');
const program = join(project, 'node_modules', 'steadfast', 'scripts', 'steadfast.js');
const keys = { apiKey: 'TEST_API_KEY:a-team:secret', entitySecret: '5eed'.repeat(16) };
const taskQueue = `package-${process.pid}-${Date.now()}`;
const sandboxEnv = { SANDBOX_RATE_LIMIT: 'off', SANDBOX_SETTLE_MS: '50' };
let installed: string;
/** The variables of the package's sandbox. They are set when it is ready. */
let environment: Record<string, string>;
const children: Child[] = [];

/** Runs the CLI of the installed package, in the project's folder. */
function start(args: readonly string[], env: Record<string, string> = {}): Child {
  const command: [string, ...string[]] = [process.execPath, ...args];
  const child = startChild({ command, cwd: project, env: bareEnvironment(env) });
  children.push(child);
  return child;
}

async function steadfast(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = start([program, ...args], environment);
  return { code: await child.exited, lines: child.lastLines() };
}

/** Links the vendor's SDK, which the tests of a team may have installed. */
function linkSdk(): void {
  const path = join('node_modules', '@circle-fin');
  mkdirSync(join(project, path), { recursive: true });
  const sdk = 'developer-controlled-wallets';
  symlinkSync(join(root, path, sdk), join(project, path, sdk));
}

beforeAll(async () => {
  installed = await installPackage(project);
  const [pay = ''] = codeIn('README.md', 'ts');
  const [workflows = '', worker = ''] = codeIn('docs/how-to/use-your-own-worker.md', 'ts');
  const [tills = '', forVitest = ''] = codeIn('docs/how-to/test-against-the-sandbox.md', 'ts');
  const files = {
    'pay.mts': pay,
    'workflows.ts': workflows,
    'worker.ts': worker,
    'tills.test.ts': tills,
    'vitest/tills.test.ts': forVitest + tills,
  };
  mkdirSync(join(project, 'vitest'));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(project, name), code);
  linkSdk();
  const sandbox = start([program, 'sandbox'], {
    ...sandboxEnv,
    SANDBOX_PORT: '0',
    SANDBOX_DATA_DIR: join(folder, 'sandbox'),
    SANDBOX_API_KEY: keys.apiKey,
    SANDBOX_ENTITY_SECRET: keys.entitySecret,
  });
  const [, baseUrl = ''] = await sandbox.waitForLine(/^Sandbox ready: (\S+)$/, 120_000);
  environment = {
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: keys.apiKey,
    CUSTODY_ENTITY_SECRET: keys.entitySecret,
    STEADFAST_TASK_QUEUE: taskQueue,
    TEMPORAL_ADDRESS: temporalAddress(),
    ...limitVariables(sandboxEnv),
  };
});

afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('the package', () => {
  test('contains the programs and their types, and no sources or tests', () => {
    const paths = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const sources = paths.filter((path) => /(?<!\.d)\.ts$|(^|\/)(test|proof)\//.test(path));
    expect(sources).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining(['dist/src/client/client.js', 'dist/src/client/client.d.ts']),
    );
    expect(readdirSync(installed).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'dist',
      'package.json',
      'scripts',
    ]);
  });

  test('is installed without development packages', () => {
    expect(existsSync(join(project, 'node_modules', 'zod'))).toBe(true);
    expect(existsSync(join(project, 'node_modules', 'tsx'))).toBe(false);
    expect(existsSync(join(project, 'node_modules', 'typescript'))).toBe(false);
  });

  test('runs its CLI', async () => {
    expect(await steadfast('--version')).toEqual({ code: 0, lines: [version] });
    expect((await steadfast('--help')).lines.join('\n')).toContain('Exit codes: 0 done');
  });

  test('runs a sandbox and a worker, and its doctor finds no fault', async () => {
    const bundle = join(folder, 'built', 'workflows.js');
    expect(await steadfast('bundle', bundle)).toMatchObject({ code: 0 });
    const worker = start([program, 'worker'], {
      ...environment,
      STEADFAST_WORKFLOW_BUNDLE: bundle,
    });
    await worker.waitForLine(/^Worker ready/, 60_000);
    // Schedules of other tests may have faults.
    const ofOwnSchedules = { ...environment, STEADFAST_KEY_SCOPE: taskQueue };
    const doctor = start([program, 'doctor'], ofOwnSchedules);
    const code = await doctor.exited;
    const faults = doctor.lastLines().filter((line) => line.startsWith('✗'));
    expect({ code, faults }).toEqual({
      code: 0,
      faults: [],
    });
    await worker.stop();
  });

  test("starts and stops a sandbox in a team's test, as the page shows", async () => {
    const transform = { '\\.ts$': [require.resolve('@swc/jest'), { jsc: { target: 'es2023' } }] };
    const config = JSON.stringify({
      rootDir: project,
      testMatch: ['<rootDir>/tills.test.ts'],
      transform,
    });
    const jestProgram = require.resolve('jest/bin/jest');
    const child = start([jestProgram, '--verbose', '--config', config], environment);
    expect({ code: await child.exited, lines: child.lastLines() }).toEqual({
      code: 0,
      lines: expect.arrayContaining([expect.stringContaining('✓ and is gone in the next test')]),
    });
  });

  test('starts a sandbox in a test of Vitest, as the page shows', async () => {
    symlinkSync(join(root, 'node_modules', 'vitest'), join(project, 'node_modules', 'vitest'));
    const vitestProgram = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const child = start([vitestProgram, 'run', '--root', 'vitest'], environment);
    expect({ code: await child.exited, lines: child.lastLines() }).toMatchObject({
      code: 0,
      lines: expect.arrayContaining([expect.stringMatching(/Tests.*2 passed/)]),
    });
  });

  test("runs orders in a team's own worker, beside the team's workflows", async () => {
    for (const name of ['workflows', 'worker']) {
      const { outputText } = ts.transpileModule(readFileSync(join(project, `${name}.ts`), 'utf8'), {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
      });
      writeFileSync(join(project, `${name}.js`), outputText);
    }
    writeFileSync(join(project, 'start.mjs'), starter);
    const worker = start(['worker.js'], environment);
    const backend = start(['start.mjs'], environment);
    expect({ code: await backend.exited, lines: backend.lastLines() }).toEqual({
      code: 0,
      lines: ['January is closed', expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    });
    await worker.stop();
  });
});

/** A backend that uses the package, as an ECMAScript module. */
const starter = `
import { Client } from '@temporalio/client';
import { connectSteadfast } from 'steadfast';
const { TEMPORAL_ADDRESS: address, STEADFAST_TASK_QUEUE: taskQueue } = process.env;
const { Connection } = await import('@temporalio/client');
const { workflow } = new Client({ connection: await Connection.connect({ address }) });
const options = { taskQueue, workflowId: taskQueue + '-books', args: ['January'] };
console.log(await workflow.execute('closeBooks', options));
const steadfast = await connectSteadfast();
const order = { name: 'Tills', amount: '5', token: 'USDC' };
const receipt = await steadfast.execute('transferSequence', taskQueue + ':tills', order);
console.log(receipt.txHash);
process.exit(0);
`;

type Checked = { name: string; options: string[]; files: string[] };

/** The compiler's errors, without those inside other packages. */
async function faultsIn({ options, files }: Pick<Checked, 'options' | 'files'>): Promise<string[]> {
  const compiler = require.resolve('typescript/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(__dirname, '../../../node_modules/@types')];
  const flags = ['--noEmit', '--strict', '--target', 'es2023', ...types, ...options];
  const said = await new Promise<string>((resolve) => {
    const command = [compiler, ...flags, ...files];
    execFile(process.execPath, command, { cwd: project }, (_, stdout) => resolve(stdout));
  });
  const isOthers = /^(\.\.\/)*(\S+\/)?node_modules\/(?!steadfast\/)/;
  return said.split('\n').filter((line) => /error TS/.test(line) && !isOthers.test(line));
}

describe('the types of the package', () => {
  const files = ['pay.mts', 'workflows.ts', 'worker.ts'];
  test.each<Checked>([
    // Checks all declarations at once, which takes the compiler a while.
    { name: 'nodenext', options: ['--module', 'nodenext', '--skipLibCheck', 'false'], files },
    { name: 'node16', options: ['--module', 'node16', '--skipLibCheck'], files },
    {
      name: 'nodenext, with the types of Jest',
      options: ['--module', 'nodenext', '--skipLibCheck', '--types', 'node,jest'],
      files: ['tills.test.ts'],
    },
    {
      name: 'bundler',
      options: ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck'],
      files: ['pay.mts', 'workflows.ts'],
    },
  ])('fit the examples of the pages with $name', async ({ options, files }) => {
    expect(await faultsIn({ options, files })).toEqual([]);
  });

  test('do not fit an order of another shape', async () => {
    const [pay = ''] = codeIn('README.md', 'ts');
    writeFileSync(join(project, 'wrong.mts'), pay.replace("amount: '12.50'", 'amount: 12.5'));
    const options = ['--module', 'nodenext', '--skipLibCheck'];
    const faults = await faultsIn({ options, files: ['wrong.mts'] });
    expect(faults.join('\n')).toMatch(/^wrong\.mts.+error TS2322/);
  });
});
