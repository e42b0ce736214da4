import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir, temporalServer } from '../../../scripts/temporalServer';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import { type Child, startChild } from '../../../src/local/childProcess';
import { freePorts } from '../../../src/local/freePorts';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { composeText, readComposeFile } from '../../support/package/composeFile';
import { temporalAddress } from '../../support/temporal';
import { testPasskey } from '../../writer/signing/passkeys';
import { visitorOf } from '../console/visitor';

/**
 * Runs the services of docker-compose.yml without containers: the same commands with the same
 * variables and health checks. Only host names, ports and the data folder differ.
 */
const root = join(__dirname, '..', '..', '..');
const folder = newFolder();
const home = join(folder, 'home');
const started: Child[] = [];
let services: ReturnType<typeof readComposeFile>['services'];

beforeAll(async () => {
  const [sandbox, metrics, codec, pages] = await freePorts([0, 0, 0, 0]);
  const here: [RegExp, string][] = [
    [/(sandbox|127\.0\.0\.1):4010(?!:)/g, `127.0.0.1:${sandbox}`],
    [/"4010"/g, `"${sandbox}"`],
    [/(0\.0\.0\.0|127\.0\.0\.1):9464/g, `127.0.0.1:${metrics}`],
    [/127\.0\.0\.1:8234(?!:)/g, `127.0.0.1:${codec}`],
    [/"8234"/g, `"${codec}"`],
    [/(localhost|127\.0\.0\.1):4030(?!:)/g, `$1:${pages}`],
    [/"4030"/g, `"${pages}"`],
    [/CONSOLE_FILE: \/data/g, `CONSOLE_FILE: ${folder}`],
    [/temporal:7233/g, temporalAddress()],
    [/0\.0\.0\.0/g, '127.0.0.1'],
    [/\/app\/private-workflow-bundle\.js/g, join(folder, 'private-workflow-bundle.js')],
    [/SANDBOX_DATA_DIR: \/data/g, `SANDBOX_DATA_DIR: ${folder}`],
    [/\/policies\/policy\.yaml/g, join(root, 'docs', 'policies', 'closed.yaml')],
    [/file:\/data\//g, `file:${folder}/`],
    [/QUEUE: steadfast/g, `QUEUE: containers-${process.pid}-${Date.now()}`],
  ];
  const text = here.reduce((all, change) => all.replaceAll(...change), composeText);
  services = readComposeFile(text).services;
  stopLater(() => Promise.all(started.map((child) => child.stop())));
});

function run(command: readonly string[], env: Record<string, string> = {}): Child {
  const [program = '', ...args] = command;
  const child = startChild({ command: [program, ...args], env: bareEnvironment(env) });
  started.push(child);
  return child;
}

/** Starts a service as its image does, perhaps with more in .env, and waits until it is ready. */
async function start(
  name: string,
  ready: RegExp,
  more: Record<string, string> = {},
): Promise<Child> {
  const { command = [], environment = {} } = services[name] ?? {};
  const program = join(root, 'scripts', 'steadfast.js');
  // An image has no home that it can write to, and sets another folder.
  const image = { HOME: home, XDG_CACHE_HOME: dirname(cacheDir()) };
  const child = run([process.execPath, program, ...command], { ...image, ...environment, ...more });
  await child.waitForLine(ready, 100_000);
  return child;
}

/** The exit code of a service's health check. */
async function health(name: string): Promise<number | null> {
  const [kind, ...command] = services[name]?.healthcheck?.test ?? [];
  expect(kind).toBe('CMD');
  const [program = '', ...args] = command;
  return run([program === 'temporal' ? await temporalServer() : program, ...args]).exited;
}

test('the sandbox is healthy while it serves, and not before or after', async () => {
  expect(await health('sandbox')).not.toBe(0);
  const sandbox = await start('sandbox', /^Sandbox ready/);
  expect(await health('sandbox')).toBe(0);
  await sandbox.stop();
  expect(await health('sandbox')).not.toBe(0);
});

test('Temporal is healthy, and not when there is none', async () => {
  expect(await health('temporal')).toBe(0);
  const { test: check = [] } = services.temporal?.healthcheck ?? {};
  const [, , ...args] = check.map((word) => word.replace(temporalAddress(), '127.0.0.1:9'));
  expect(await run([await temporalServer(), ...args]).exited).not.toBe(0);
});

test('search attributes are added, and adding them again succeeds', async () => {
  const { entrypoint = [], environment = {} } = services['search-attributes'] ?? {};
  const [, ...args] = entrypoint;
  expect(await run([await temporalServer(), ...args], environment).exited).toBe(0);
});

test("workflows are bundled for private payloads by the image's command", async () => {
  const program = join(root, 'scripts', 'steadfast.js');
  const file = join(folder, 'private-workflow-bundle.js');
  const made = run([process.execPath, program, 'bundle', '--private', file], {
    // The build of an image may write anywhere.
    HOME: join(folder, 'build'),
  });
  expect(await made.exited).toBe(0);
  expect(existsSync(file)).toBe(true);
});

test('a worker serves with its variables', async () => {
  const worker = await start('worker-1', /^Worker ready/);
  await worker.stop();
  expect(await worker.exited).toBe(0);
});

test("nothing is written to the user's home", () => {
  expect(existsSync(join(folder, 'secrets.json'))).toBe(true);
  expect(existsSync(home)).toBe(false);
});

test('a worker is healthy while it serves, and not after', async () => {
  const worker = await start('worker-2', /^Worker ready/);
  expect(await health('worker-2')).toBe(0);
  await worker.stop();
  expect(await health('worker-2')).not.toBe(0);
});

test('a writer serves with its policy, and makes its ledger', async () => {
  const writer = await start('writer', /^Worker ready.*\(writes\)/);
  expect(await health('writer')).toBe(0);
  await writer.stop();
  expect(existsSync(join(folder, 'ledger.db'))).toBe(true);
});

test('the codec server is healthy once it serves, and not before', async () => {
  expect(await health('codec')).not.toBe(0);
  await start('codec', /^Codec server ready/);
  expect(await health('codec')).toBe(0);
});

test('the console is healthy while it serves, without a secret of the service', async () => {
  expect(await health('console')).not.toBe(0);
  const pages = await start('console', /^Console ready: http:\/\/localhost:\d+$/);
  expect(await health('console')).toBe(0);
  await pages.stop();
  expect(await health('console')).not.toBe(0);
});

test('a policy of two roles, as the page about containers has it, is that of writer and console', async () => {
  const page = readFileSync(join(root, 'docs', 'how-to', 'run-in-containers.md'), 'utf8');
  const [, draft = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const origin = services.console?.environment.STEADFAST_CONSOLE_ORIGIN ?? '';
  const [kim, ann] = [testPasskey({ origin }), testPasskey({ origin })];
  const wallet = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
  const policy = draft
    .replace("<kim's line that signs in>", kim.publicKey)
    .replace("<ann's line that signs in>", ann.publicKey)
    .replace('<the id of the wallet>', wallet)
    .replaceAll(/<\w+'s line[^>]*>/g, () => testPasskey({ origin }).publicKey);
  const env = {
    STEADFAST_POLICY_FILE: join(folder, 'policy.yaml'),
    STEADFAST_ENTITY_ID: 'account',
  };
  writeFileSync(env.STEADFAST_POLICY_FILE, policy);
  const writer = await start('writer', /^Worker ready.*\(writes\)/, env);
  await start('console', /^Console ready/, env);
  const visitor = visitorOf(() => origin);
  const form = await visitor.ask('/start/transfer', { headers: await visitor.signIn(kim) });
  expect(form.body).toContain(`<option value="${wallet}">`);
  const own = await visitor.signIn(ann);
  // Orders of other tests in this namespace may be unknown here.
  expect((await visitor.ask('/approvals', { headers: own })).body).toMatch(
    /Nothing( on this page, as far as it can be read,)? waits for you/,
  );
  expect((await visitor.ask('/start', { headers: own })).statusCode).toBe(403);
  await writer.stop();
});
