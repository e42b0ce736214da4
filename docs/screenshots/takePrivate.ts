import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast } from '../../src/client/client';
import { readPrivacy } from '../../src/client/privacy/privacy';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { freePorts } from '../../src/local/freePorts';
import { steadfast } from '../../src/local/spawnSandbox';
import { startReady } from '../../src/local/startReady';
import { type StackParts, startStack } from '../../src/local/startStack';
import { type Page, startBrowser } from './browser';
import { keep, remember, tell } from './keep';

const id = 'transfer:invoice-4711';
const keys = { STEADFAST_CODEC_KEYS: `k1:${randomBytes(32).toString('base64')}` };
const token = randomBytes(24).toString('hex');

/**
 * Takes the picture of a private transfer, in Temporal UI after its user has signed in at the
 * codec server. Usage: npx tsx docs/screenshots/takePrivate.ts [chromium]
 */
async function take(): Promise<void> {
  const [uiPort = 0, codecPort = 0] = await freePorts([0, 0]);
  const codecUrl = `http://127.0.0.1:${codecPort}`;
  const stack = startStack({
    temporal: { port: 0, uiPort },
    sandboxPort: 0,
    workerEnv: keys,
  });
  const { child: codec } = await startReady({
    name: 'The codec server',
    command: steadfast('codec'),
    timeoutMs: 60_000,
    ready: /^Codec server ready: /,
    env: bareEnvironment({
      ...keys,
      STEADFAST_CODEC_TOKEN: token,
      STEADFAST_CODEC_PORT: String(codecPort),
      STEADFAST_CODEC_UI_ORIGIN: `http://127.0.0.1:${uiPort}`,
    }),
  });
  try {
    const parts = await stack.ready;
    const recipient = await transfer(parts);
    await photograph(parts.temporal.uiUrl ?? '', { codecUrl, recipient });
  } catch (error) {
    process.exitCode = 1;
    tell(String(error));
  }
  await codec.kill();
  await stack.stop();
  process.exit();
}

/** Makes a transfer and waits until it is done. Returns its recipient. */
async function transfer({ temporal, taskQueue }: StackParts): Promise<string> {
  const connection = await Connection.connect({ address: temporal.address });
  const { dataConverter, isPrivate } = readPrivacy(temporal.namespace, keys);
  const client = new Client({ connection, namespace: temporal.namespace, dataConverter });
  const order = { name: 'Acme', amount: '2.50', token: 'USDC' };
  const backend = createSteadfast({ client, taskQueue, isPrivate });
  const { to } = await backend.execute('transferSequence', id, order);
  await connection.close();
  return to;
}

async function photograph(ui: string, shown: { codecUrl: string; recipient: string }) {
  const browser = await startBrowser(process.argv[2] ?? 'chromium');
  try {
    const { page } = browser;
    await lookAtHistory(page, ui, 'YmluYXJ5L2VuY3J5cHRlZA==');
    if (await page.run(`document.body.innerText.includes('${shown.recipient}')`)) {
      throw new Error('The UI shows the recipient to who has not signed in.');
    }
    // The same values that the UI's dialog "Codec Server" stores in a browser.
    await remember(page, 'overrideRemoteCodecConfiguration', true);
    await remember(page, 'endpoint', shown.codecUrl);
    await remember(page, 'includeCredentials', true);
    await signIn(page, shown.codecUrl);
    await lookAtHistory(page, ui, shown.recipient);
    keep('private-payloads', await page.picture({ height: 800 }));
  } finally {
    await browser.stop();
  }
}

async function lookAtHistory(page: Page, ui: string, words: string): Promise<void> {
  await page.open(`${ui}/namespaces/default/workflows/${id}`);
  await page.until(`document.body.innerText.includes('${words}')`);
}

async function signIn(page: Page, codecUrl: string): Promise<void> {
  await page.open(codecUrl);
  await page.until(`document.querySelector('input[name=token]')`);
  await page.run(`document.querySelector('input[name=token]').value = '${token}'`);
  await page.click('button', 'Sign in');
  await page.until(`document.body.innerText.includes('Signed in')`);
}

void take();
