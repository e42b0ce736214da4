import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, formatUnits, getAddress, type Hex, http } from 'viem';
import { startBrowser } from '../../../docs/screenshots/browser';
import type { Archive } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Child } from '../../../src/local/childProcess';
import { freePorts } from '../../../src/local/freePorts';
import { startReady } from '../../../src/local/startReady';
import { runCli } from '../../cli/runCli';
import { steal } from '../../support/books/steal';
import { untilRest } from '../../support/chain/outside';
import { missingPrograms } from '../../support/missingPrograms';
import { type Orders, runOrders } from '../../support/orders';
import {
  createFundedWallet,
  eurc,
  startTestSandbox,
  type TestSandbox,
} from '../../support/sandbox';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { type TestPasskey, testPasskey } from '../../writer/signing/passkeys';
import { visitorOf } from './visitor';

const inBrowser = missingPrograms(['chromium']).length === 0 ? test : test.skip;
const root = join(__dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'watch-'));
const dataDir = join(folder, 'sandbox');
const store = `file:${join(folder, 'store.db')}`;
const mark = `watch-${process.pid}-${Date.now()}`;
const dayMs = 86_400_000;
const day = dayOf(Date.now() - dayMs);

let sandbox: TestSandbox;
let orders: Orders;
let archive: Archive;
let wallet: Wallet;
let stolen: Hex;
let program: Child;
let origin = '';
let own: Record<string, string> = {};
const visitor = visitorOf(() => origin);

beforeAll(async () => {
  const behind = aDayBehind();
  sandbox = await startTestSandbox({ dataDir, states: 'hosted', settleMs: 0 });
  archive = await openArchive(store);
  behind.mockRestore();
  const { client, baseUrl, rpcUrl } = sandbox;
  orders = await runOrders(client, { baseUrl, archive, chainRpcUrl: rpcUrl });
  const again = aDayBehind();
  wallet = await createFundedWallet(client, 'EOA');
  const order = { from: { walletId: wallet.id }, to: someone(), amount: '0.25', token: 'EURC' };
  await orders.steadfast.execute('transferStablecoin', `transfer:${mark}`, order);
  stolen = await steal({ sandbox, dataDir }, wallet, '1.5');
  // Later blocks of its own would be of today.
  await untilRest(sandbox);
  again.mockRestore();
  const timestampS = Math.floor(Date.now() / 1_000);
  await sandbox.chain.mineBlock({ timestampS, transactions: [] });
  await startConsole();
});
afterAll(async () => {
  await program?.stop();
  // The last test has stopped them, unless one before has failed.
  await orders?.stop().catch(() => undefined);
  await archive?.close();
  await sandbox?.stop().catch(() => undefined);
  rmSync(folder, { recursive: true });
});

/** The service and its chain live a day behind Temporal, so that their day can be closed. */
function aDayBehind(): jest.SpyInstance {
  const now = Date.now;
  return jest.spyOn(Date, 'now').mockImplementation(() => now() - dayMs);
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Starts the console as a process of its own, and signs a person in. */
async function startConsole(): Promise<void> {
  const [port = 0] = await freePorts([0]);
  origin = `http://localhost:${port}`;
  const passkey = testPasskey({ origin });
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(policyOf(passkey)));
  const { PATH = '', HOME = '' } = process.env;
  const { child } = await startReady({
    command: [process.execPath, join(root, 'scripts', 'steadfast.js'), 'console'],
    env: {
      PATH,
      HOME,
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: orders.taskQueue,
      STEADFAST_KEY_SCOPE: mark,
      STEADFAST_POLICY_FILE: join(folder, 'policy.json'),
      STEADFAST_CONSOLE_FILE: join(folder, 'console.db'),
      STEADFAST_CONSOLE_PORT: String(port),
      STEADFAST_STORE: store,
      CHAIN_RPC_URL: sandbox.rpcUrl,
    },
    ready: /^Console ready: (\S+)$/,
    timeoutMs: 60_000,
  });
  program = child;
  own = await visitor.signIn(passkey);
}

function policyOf(passkey: TestPasskey): object {
  const ssh = (name: string) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${name.padEnd(43, 'y')} ${name}`;
  return {
    version: 7,
    people: {
      backend: { keys: [ssh('backend')] },
      vi: { keys: [ssh('vi')], signIn: [passkey.publicKey] },
    },
    groups: { backends: ['backend'] },
    rules: [
      {
        id: 'out',
        kind: 'limit',
        orders: ['transferStablecoin'],
        wallets: [wallet.id],
        tokens: ['EURC'],
        to: someone(),
        perTransfer: '1',
        signedBy: 'backends',
      },
    ],
  };
}

async function page(path: string): Promise<string> {
  const { body } = await visitor.ask(path, { headers: own });
  // A cell also names its column, which these tests do not look at.
  return bare(body);
}

/** Loads a page again until it has some words. It reads again once in ten seconds. */
async function pageWith(path: string, words: string): Promise<string> {
  for (const deadline = Date.now() + 90_000; ; ) {
    const body = await page(path);
    if (body.includes(words)) return body;
    if (Date.now() > deadline) throw new Error(`${path} never says "${words}": ${body}`);
    await sleep(1_000);
  }
}

/** The balance of a token on the chain, in its own units. */
async function onChain(token: string): Promise<string> {
  const client = createPublicClient({ transport: http(sandbox.rpcUrl) });
  const [address, holder] = [getAddress(token), getAddress(wallet.address)];
  const call = { address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] } as const;
  return formatUnits(await client.readContract(call), 6);
}

/** A page whose cells have no names, which they have for telephones. */
function bare(text: string): string {
  return text.replace(/<td data-name="[^"]*"><div>/g, '<td>').replaceAll('</div></td>', '</td>');
}

test('balances on the pages of wallets are those of the chain', async () => {
  const list = await page('/wallets');
  expect(list).toContain(`<code>${getAddress(wallet.address)}</code>`);
  const euros = await onChain(eurc);
  expect(euros).toBe('19.75');
  expect(list).toContain(`<div>${euros} EURC</div>`);
  const own = await page(`/wallets/${wallet.id}`);
  expect(own.match(new RegExp(`<td>${euros}</td><td>EURC</td>`, 'g'))).toHaveLength(2);
  const client = createPublicClient({ transport: http(sandbox.rpcUrl) });
  const coin = await client.getBalance({ address: getAddress(wallet.address) });
  expect(own).toContain(`<td>${formatUnits(coin, 18)}</td><td>USDC</td>`);
});

test('the statement of a wallet has its days, and can be downloaded', async () => {
  const days = `?from=${day}&to=${day}`;
  const shown = await pageWith(`/wallets/${wallet.id}${days}`, 'In and out a day');
  expect(shown).toContain(`<td>${day}</td><td>EURC</td><td>20</td><td>0.25</td><td>0</td>`);
  expect(shown).toContain('src="data:image/svg+xml;base64,');
  const csv = await page(`/wallets/${wallet.id}/statement.csv${days}`);
  expect(csv).toContain(`,transfer:${mark},`);
  expect(csv).toContain(stolen);
});

test('a closed day shows what somebody else has moved, in red, and has its receipts', async () => {
  const { stdout } = await runCli(['close', day, '--json'], {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_TASK_QUEUE: orders.taskQueue,
    STEADFAST_KEY_SCOPE: mark,
    CHAIN_RPC_URL: sandbox.rpcUrl,
  });
  const { workflowId } = JSON.parse(stdout);
  const path = `/books/${encodeURIComponent(workflowId)}`;
  const list = await pageWith('/books', '<b class="bad">Somebody else has moved money.</b>');
  expect(list).toContain(`href="${path}">${day}</a>`);
  const shown = await page(path);
  expect(shown).toContain('<b class="bad">moved by somebody else</b>');
  expect(shown).toContain(`1.5 USDC from ${wallet.address.toLowerCase()}`);
  expect(shown).toContain(stolen);
  expect(JSON.parse(await page(`${path}/close.json`))).toMatchObject({ day, isBalanced: false });
  const [receipt = '{}'] = (await page(`${path}/receipts.jsonl`)).split('\n');
  expect(JSON.parse(receipt)).toMatchObject({ order: { id: `transfer:${mark}` } });
});

/** The elements of a page that are wider than a small telephone. Tables are scrolled. */
const beyond = `(() => {
  document.body.style.width = '320px';
  const wide = (one) => !one.closest('.wide, .skip') && one.getBoundingClientRect().right > 321;
  return [...document.body.querySelectorAll('*')].filter(wide).map((one) => one.outerHTML).join();
})()`;

inBrowser('the pages fit on a small screen, and show the picture of a statement', async () => {
  const browser = await startBrowser('chromium');
  try {
    const { page: shown } = browser;
    await shown.open(`${origin}/sign-in`);
    await shown.until(`location.href.endsWith('/sign-in') && document.readyState === 'complete'`);
    await shown.run(`document.cookie = '${own.cookie}; path=/'`);
    const paths = ['/wallets', `/wallets/${wallet.id}?from=${day}&to=${day}`, '/books', '/health'];
    for (const path of paths) {
      await shown.open(`${origin}${path}`);
      await shown.until(
        `location.href.endsWith('${path}') && document.readyState === 'complete' &&
          document.querySelector('h1')?.textContent !== 'Not possible'`,
      );
      expect({ path, wide: await shown.run(beyond) }).toEqual({ path, wide: '' });
    }
    await shown.open(`${origin}${paths[1]}`);
    await shown.until("document.querySelector('img')?.naturalWidth > 0");
  } finally {
    await browser.stop();
  }
});

test('health is told, and fifty open pages ask no worker more often', async () => {
  const shown = await pageWith('/health', 'answers for the account');
  expect(shown).toContain('<b>Worker for reads</b> <span class="good">fine</span>');
  expect(shown).toContain('<b>Chain</b> <span class="good">fine</span>');
  expect(shown).toContain('<dd>7</dd>');
  expect(shown).toContain('The writer has no policy');
  expect(shown).toContain('no two receipts of a write contradict');
  const times = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const startedMs = performance.now();
      await page('/health');
      return performance.now() - startedMs;
    }),
  );
  expect(Math.max(...times)).toBeLessThan(3_000);
  const alone = performance.now();
  await page('/health');
  expect(performance.now() - alone).toBeLessThan(300);
  await sleep(2_000);
  const query = `WorkflowType = 'readAccount' AND TaskQueue = '${orders.taskQueue}'`;
  expect((await orders.client.workflow.count(query)).count).toBeLessThan(20);
});

test('health tells a service and a node that are away, and then a stopped worker', async () => {
  await sandbox.stop();
  const away = await pageWith('/health', 'gives no usable answer');
  expect(away).toContain('CHAIN_RPC_URL gives no usable answer');
  expect(away).toContain('<b>Temporal</b> <span class="good">fine</span>');
  await orders.stop();
  await pageWith('/health', 'No worker has answered.');
  const stopped = await pageWith('/health', 'No writer has answered');
  expect(stopped).toContain('No worker has answered.');
  expect(stopped).toContain('<b>Temporal</b> <span class="good">fine</span>');
  expect(await pageWith('/wallets', 'No worker has answered.')).toContain('Sign out');
});
