import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';
import { type Child, startChild } from '../../../src/childProcess';
import type { Wallet } from '../../../src/custody/objects/wallet';
import {
  createFundedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../support/sandbox';
import { type Received, startReceiver } from '../../support/service/receiver';

type IsGenuine = (
  body: Buffer,
  headers: IncomingHttpHeaders,
  findKey: (id: string) => Promise<KeyObject | undefined>,
) => Promise<boolean>;

/** The page's own code, as it stands there. */
const page = join(__dirname, '../../../docs/how-to/receive-webhooks.md');
const folder = mkdtempSync(join(tmpdir(), 'steadfast-receiver-'));
let isGenuine: IsGenuine;
let sandbox: TestSandbox;
let wallet: Wallet;
let receiver: Child;
let endpoint: string;

beforeAll(async () => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```ts\n(.*?)^```/gms)];
  const [genuine = '', server = ''] = blocks.flatMap(([, code = '']) => code);
  for (const [name, code] of Object.entries({ genuine, receiver: server })) {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
    const { outputText } = ts.transpileModule(code, { compilerOptions });
    writeFileSync(join(folder, `${name}.js`), outputText);
  }
  ({ isGenuine } = await import(join(folder, 'genuine.js')));
  sandbox = await startTestSandbox();
  wallet = await createFundedWallet(sandbox.client, 'EOA');
  receiver = startChild({
    command: [process.execPath, join(folder, 'receiver.js')],
    env: {
      PATH: process.env.PATH,
      CUSTODY_BASE_URL: sandbox.baseUrl,
      CUSTODY_API_KEY: sandbox.secrets.apiKey,
      PORT: String(await freePort()),
    },
  });
  [, endpoint = ''] = await receiver.waitForLine(/^Listening: (\S+)$/, 20_000);
});

afterAll(async () => {
  await receiver.stop();
  await sandbox.stop();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The answer of the page's receiver to a notice that is sent by hand. */
async function post({ body, headers }: Pick<Received, 'body' | 'headers'>): Promise<number> {
  const { 'x-circle-key-id': keyId = '', 'x-circle-signature': signature = '' } = headers;
  const sent = { 'x-circle-key-id': String(keyId), 'x-circle-signature': String(signature) };
  return (await fetch(endpoint, { method: 'POST', headers: sent, body })).status;
}

/** A notice as the sandbox has sent it. */
async function genuineNotice(): Promise<Received> {
  const other = await startReceiver();
  await sandbox.client.createSubscription({ endpoint: other.endpoint });
  await other.waitFor(1);
  await other.stop();
  const [notice] = other.received;
  if (notice === undefined) throw new Error('No notice has come.');
  return notice;
}

describe('the receiver of the page on webhooks', () => {
  let notice: Received;
  beforeAll(async () => {
    notice = await genuineNotice();
  });

  it("takes the sandbox's notices, each once, also where they come twice", async () => {
    const rules = [{ kind: 'duplicateNotice' }];
    await sandbox.request('POST', '/_sandbox/faults', { body: { rules } });
    const { id: subscriptionId } = await sandbox.client.createSubscription({ endpoint });
    const { id } = await sandbox.client.createTransfer(transferOf(wallet, wallet.address));
    await settled(sandbox.client, id);
    await receiver.waitForLine(new RegExp(`^transactions.outbound ${id} COMPLETE$`), 10_000);
    await receiver.waitForLine(/^transactions.inbound \S+ COMPLETE$/, 10_000);
    const sent = async () => {
      const { body } = await sandbox.request('GET', '/_sandbox/notifications?after=0');
      const { notifications } = body as {
        notifications: { subscriptionId: string; status: string; attempts: object[] }[];
      };
      return notifications.filter((one) => one.subscriptionId === subscriptionId);
    };
    const deadline = Date.now() + 100_000;
    const isDone = async () => (await sent()).every(({ status }) => status === 'delivered');
    while (!(await isDone()) && Date.now() < deadline) await sleep(50);
    const attempts = (await sent()).flatMap((one) => one.attempts);
    expect(attempts).toHaveLength(14);
    expect(attempts).toEqual(Array(14).fill(expect.objectContaining({ status: 200 })));
    const lines = receiver.lastLines().filter((line) => line.startsWith('transactions.outbound'));
    expect(lines.sort()).toEqual(
      ['COMPLETE', 'CONFIRMED', 'QUEUED', 'SENT'].map(
        (state) => `transactions.outbound ${id} ${state}`,
      ),
    );
  });

  it('takes a notice that is passed on as it is', async () => {
    expect(await post(notice)).toBe(200);
  });

  it('refuses a changed body, were it by a space', async () => {
    expect(await post({ ...notice, body: `${notice.body} ` })).toBe(401);
    expect(await post({ ...notice, body: notice.body.replace('world', 'there') })).toBe(401);
  });

  it.each([
    ['changed', (signature: string) => `${signature.slice(0, 20)}AAAA${signature.slice(24)}`],
    ['cut off', (signature: string) => signature.slice(0, 40)],
    ['left out', () => ''],
  ])('refuses a signature that is %s', async (_, spoil) => {
    const signature = spoil(String(notice.headers['x-circle-signature']));
    const headers = { ...notice.headers, 'x-circle-signature': signature };
    expect(await post({ ...notice, headers })).toBe(401);
  });

  it('refuses a body that is larger than any notice', async () => {
    expect(await post({ ...notice, body: `${notice.body}${' '.repeat(70_000)}` })).toBe(413);
    expect(await post(notice)).toBe(200);
  });

  it('asks for few of the keys that somebody makes up, and goes on with the true one', async () => {
    const asked = async (): Promise<number> => {
      const { body } = await sandbox.request('GET', '/_sandbox/calls?after=0');
      const { calls } = body as { calls: { path: string }[] };
      return calls.filter(({ path }) => path.includes('publicKey')).length;
    };
    const [before, beganMs] = [await asked(), Date.now()];
    for (let made = 0; made < 100; made++) {
      const headers = { ...notice.headers, 'x-circle-key-id': randomUUID() };
      expect(await post({ ...notice, headers })).toBe(401);
    }
    const seconds = Math.ceil((Date.now() - beganMs) / 1_000);
    expect((await asked()) - before).toBeLessThanOrEqual(seconds + 1);
    expect(await post(notice)).toBe(200);
  });

  it("refuses another key's signature, whichever key it names", async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signature = sign('sha256', Buffer.from(notice.body), privateKey).toString('base64');
    const headers = { ...notice.headers, 'x-circle-signature': signature };
    expect(await post({ ...notice, headers })).toBe(401);
    for (const id of ['0bdd3e4b-5070-4530-8ed4-2e2e4c9fd2f0', '../../ping', '']) {
      expect(await post({ ...notice, headers: { ...headers, 'x-circle-key-id': id } })).toBe(401);
    }
  });
});

/** Public key, message and signature as the vendor's page on webhooks prints them. */
const vector = {
  publicKey:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESl76SZPBJemW0mJNN4KTvYkLT8bOT4UGhFhzNk3fJqf6iuPlLQLq533FelXwczJbjg2U1PHTvQTK7qOQnDL2Tg==',
  message:
    '{"subscriptionId":"00000000-0000-0000-0000-000000000000","notificationId":"00000000-0000-0000-0000-000000000000","notificationType":"webhooks.test","notification":{"hello":"world"},"timestamp":"2024-01-26T18:22:19.779834211Z","version":2}',
  headers: {
    'x-circle-key-id': '879dc113-5ca4-4ff7-a6b7-54652083fcf8',
    'x-circle-signature':
      'MEQCIBlJPX7t0FDOcozsRK6qIQwik5Fq6mhAtCSSgIB/yQO7AiB9U5lVpdufKvPhk3cz4TH2f5MP7ArnmPRBmhPztpsIFQ==',
  },
};

describe("the vendor's test vector", () => {
  const key = createPublicKey({
    key: Buffer.from(vector.publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  const check = (body: string) =>
    isGenuine(Buffer.from(body), vector.headers, async (id) =>
      id === vector.headers['x-circle-key-id'] ? key : undefined,
    );

  it("is verified by the page's own function", async () => {
    expect(await check(vector.message)).toBe(true);
    expect(await check(vector.message.replace('world', 'World'))).toBe(false);
  });

  it('has the same form as what the sandbox sends', async () => {
    const { body, headers } = await genuineNotice();
    const form = (text: string) => text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z/, 'moment');
    expect(form(body)).toBe(form(vector.message));
    const id = String(headers['x-circle-key-id']);
    const { publicKey } = await sandbox.client.getNotificationSignature({ id });
    const head = (base64: string) => Buffer.from(base64, 'base64').subarray(0, 27).toString('hex');
    expect(head(publicKey)).toBe(head(vector.publicKey));
  });
});
