import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '../../src/local/sandbox';
import { newFolder, stopLater } from '../support/jest/setUp';
import { codeIn } from '../support/package/page';
import { pythonSdks } from '../support/pythonSdks';

const page = 'docs/how-to/use-the-sandbox-alone.md';
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const root = join(__dirname, '..', '..');
const folder = newFolder();
let sandbox: RunningSandbox;
let clean: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  stopLater(() => sandbox.stop());
  clean = await sandbox.snapshot();
});
beforeEach(() => sandbox.restore(clean));

type Run = { command: readonly [string, ...string[]]; cwd: string; input?: string };

/** Everything that a program prints, when it runs with the sandbox's variables. */
async function run({ command: [program, ...args], cwd, input = '' }: Run): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: {
      ...python?.env,
      PATH: process.env.PATH,
      SANDBOX_URL: sandbox.origin,
      SANDBOX_API_KEY: sandbox.apiKey,
      SANDBOX_ENTITY_SECRET: sandbox.entitySecret,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      printed += data;
    });
  }
  child.stdin.end(input);
  await new Promise((resolve) => child.once('close', resolve));
  return printed;
}

/** The ids of all wallet sets. */
async function sets(): Promise<string[]> {
  const headers = { authorization: `Bearer ${sandbox.apiKey}` };
  const response = await fetch(`${sandbox.baseUrl}/walletSets`, { headers });
  const { data }: { data: { walletSets: { id: string }[] } } = (await response.json()) as never;
  return data.walletSets.map(({ id }) => id);
}

const python = pythonSdks();
const testWithPython = python === undefined ? test.skip : test;

describe("the page's example", () => {
  test('in JavaScript, with the Node SDK, creates a wallet set', async () => {
    const [input = ''] = codeIn(page, 'js');
    expect(input.trim().split('\n')).toHaveLength(5);
    const command = [process.execPath, '--input-type=module', '-'] as const;
    expect([(await run({ command, cwd: root, input })).trim()]).toEqual(await sets());
    expect(await sets()).toHaveLength(1);
  });

  testWithPython('in Python, with its SDK, creates a wallet set', async () => {
    const [input = ''] = codeIn(page, 'python');
    expect(input.trim().split('\n')).toHaveLength(5);
    const command = [python?.program ?? '', '-'] as const;
    expect([(await run({ command, cwd: folder, input })).trim()]).toEqual(await sets());
    expect(await sets()).toHaveLength(1);
  });

  test('with curl creates a wallet set', async () => {
    const [input = ''] = codeIn(page, 'bash');
    expect(input.trim().split('\n')).toHaveLength(5);
    const answer = await run({ command: ['bash', '-s'], cwd: folder, input });
    expect(await sets()).toEqual([answer.match(uuid)?.[0]]);
  });
});
