import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { temporalServer } from '../../../scripts/temporalServer';
import { bareEnvironment } from '../../../src/local/bareEnvironment';
import type { Child } from '../../../src/local/childProcess';
import { steadfast } from '../../../src/local/spawnSandbox';
import { startReady } from '../../../src/local/startReady';
import { buildWorkflows } from '../../../src/worker/worker';
import { runCli } from '../../cli/runCli';
import { createServe, type Orders } from '../../support/orders';
import { newKey, privacyWith } from '../../support/privacy/privateParts';
import { openTill } from '../../support/service/tillCustody';
import { temporalAddress } from '../../support/temporal';

const key = newKey('k1');
const token = randomBytes(24).toString('hex');
const serve = createServe();
const till = openTill();
let orders: Orders;
let codec: { child: Child; url: string };
beforeAll(async () => {
  const [workflows, ready] = await Promise.all([
    buildWorkflows({ isPrivate: true }),
    startReady({
      name: 'The codec server',
      command: steadfast('codec'),
      timeoutMs: 60_000,
      ready: /^Codec server ready: (\S+)$/,
      env: bareEnvironment({
        STEADFAST_CODEC_KEYS: key,
        STEADFAST_CODEC_TOKEN: token,
        STEADFAST_CODEC_PORT: '0',
      }),
    }),
  ]);
  codec = { child: ready.child, url: ready.line[1] ?? '' };
  orders = await serve(till.custody, { workflows, privacy: privacyWith(key) });
});
afterAll(() => codec.child.kill());

/** An address in the receipt, which the command shows. */
const recipient = '0x523be5c33df156e5104b878dba71445db985ec7d';

async function done(): Promise<string> {
  const { workflowId, receipt } = await orders.steadfast.start(
    'transferStablecoin',
    `transfer:${randomUUID()}`,
    {
      from: { walletId: till.wallets[0]?.id ?? '' },
      amount: '2.5',
      token: 'USDC',
      to: recipient,
    },
  );
  await receipt();
  return workflowId;
}

/** Everything that Temporal's CLI shows of a workflow, and its exit code. */
async function show(workflowId: string, access: Record<string, string> = {}) {
  const binary = await temporalServer();
  const args = ['workflow', 'show', '-w', workflowId, '--address', temporalAddress()];
  const env = bareEnvironment(access);
  return new Promise<{ code: number; text: string }>((resolve) => {
    execFile(binary, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: (stdout + stderr).toLowerCase() });
    });
  });
}

describe("Temporal's command line", () => {
  test('shows an order through the codec server only with the token', async () => {
    const workflowId = await done();
    const through = { TEMPORAL_CODEC_ENDPOINT: codec.url };
    const alone = await show(workflowId);
    expect(alone.code).toBe(0);
    expect(alone.text).not.toContain(recipient);
    const known = await show(workflowId, { ...through, TEMPORAL_CODEC_AUTH: `Bearer ${token}` });
    expect(known).toEqual({ code: 0, text: expect.stringContaining(recipient) });
    // It retries for ten seconds, and shows nothing of the answer.
    const others = [{}, { TEMPORAL_CODEC_AUTH: 'Bearer guess' }];
    const told = await Promise.all(others.map((auth) => show(workflowId, { ...through, ...auth })));
    expect(told.map(({ code }) => code)).toEqual([1, 1]);
    expect(told.filter(({ text }) => text.includes(recipient))).toEqual([]);
    expect((await fetch(`${codec.url}/decode`, { method: 'POST' })).status).toBe(401);
  });

  test('finds no codec server after that was stopped', async () => {
    await codec.child.stop(10_000);
    await expect(fetch(codec.url)).rejects.toThrow('fetch failed');
  });
});

describe('our own command line', () => {
  const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_CODEC_KEYS: key };

  test('reads an order with the key, and names the missing key without it', async () => {
    const workflowId = await done();
    const [known, unknown] = await Promise.all([
      runCli(['status', workflowId], env),
      runCli(['status', workflowId], { TEMPORAL_ADDRESS: env.TEMPORAL_ADDRESS }),
    ]);
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('2.5 USDC') });
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('The payload is encrypted with the key "k1", and');
  });

  test.each([['doctor', ['doctor', '--json'], 'private, encrypted with the key \\"k1\\"']])(
    'shows in %s that payloads are private, and no key',
    async (_, args, words) => {
      const { stdout, stderr } = await runCli(args, env);
      expect(stdout).toContain(words);
      expect(stdout + stderr).not.toContain(key.slice(3));
    },
  );

  test('runs no codec server without a token, and shows no key in the refusal', async () => {
    const told = await runCli(['codec'], { STEADFAST_CODEC_KEYS: key });
    expect(told).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/STEADFAST_CODEC_TOKEN: is not set/),
    });
    expect(told.stderr).not.toContain(key.slice(3));
  });
});
