import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from '../../../../src/local/bareEnvironment';
import { pythonPackages } from '../../../support/package/pythonPackages';
import {
  createFundedWallet,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../../support/sandbox';

// Source: the webhook of circlefin/arc-commerce, DSongManage/rB, and arc-stablecoin-fx #5.

/** A call of the webhook, as it tells it. */
type Called = {
  method: 'HEAD' | 'POST';
  isGenuine?: boolean;
  /** Python writes the same JSON with other spaces, and the signature must not fit that. */
  isRewrittenGenuine?: boolean;
  type?: string;
  id?: string;
  state?: string;
  wrong?: 'twice' | 'late' | null;
  /** The state of the transaction that it now holds for the newest. */
  kept?: string;
};

const payments = 12;
const python = pythonPackages('webhook', ['cryptography==48.0.0'], '--only-binary=:all:');
const describeHere = python === undefined ? describe.skip : describe;

describeHere('a webhook in Python, which verifies the raw body (field B 12)', () => {
  let sandbox: TestSandbox;
  let child: ChildProcess;
  const called: Called[] = [];
  const sent: string[] = [];
  beforeAll(async () => {
    sandbox = await startTestSandbox();
    const { client, origin, secrets } = sandbox;
    const wallet = await createFundedWallet(client, 'EOA');
    const env = { ...python?.env, SERVICE_ORIGIN: origin, SERVICE_API_KEY: secrets.apiKey };
    child = spawn(python?.program ?? '', [join(__dirname, 'webhook.py')], {
      env: bareEnvironment(env),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const endpoint = await endpointOf(child);
    await plan([
      { kind: 'lateNotice', probability: 0.4, delayMs: 1_500 },
      { kind: 'duplicateNotice', probability: 0.5 },
    ]);
    const { id } = await client.createSubscription({ endpoint });
    for (let count = 0; count < payments; count++) {
      sent.push((await client.createTransfer(transferOf(wallet, wallet.address))).id);
    }
    for (const one of sent) await settled(client, one);
    const attempts = await delivered(id);
    while (posts().length < attempts) await sleep(20);
  });
  afterAll(async () => {
    child?.kill();
    await sandbox?.stop();
  });

  const posts = () => called.filter(({ method }) => method === 'POST');

  /** Keeps what the webhook tells. Returns its address. */
  function endpointOf({ stdout }: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      if (stdout === null) return reject(new Error('It has no output.'));
      createInterface({ input: stdout }).on('line', (line) => {
        const told = JSON.parse(line);
        if (told.endpoint === undefined) called.push(told);
        else resolve(told.endpoint);
      });
    });
  }

  async function plan(rules: object[]): Promise<void> {
    const url = '/_sandbox/faults';
    const { status } = await sandbox.request('POST', url, {
      headers: {},
      body: { seed: 7, rules },
    });
    expect(status).toBe(200);
  }

  /** Waits until each payment has its six notices delivered. Returns the number of answered attempts. */
  async function delivered(subscriptionId: string): Promise<number> {
    for (;;) {
      const { body } = await sandbox.request('GET', '/_sandbox/notifications', { headers: {} });
      type Logged = { subscriptionId: string; status: string; attempts: { status?: number }[] };
      const { notifications } = body as { notifications: Logged[] };
      const own = notifications.filter((one) => one.subscriptionId === subscriptionId);
      const isDone = own.every(({ status }) => status === 'delivered');
      if (own.length >= 1 + 6 * payments && isDone) {
        return own.flatMap(({ attempts }) => attempts.filter((one) => one.status)).length;
      }
      await sleep(50);
    }
  }

  it('is asked by HEAD before it gets any notice', () => {
    expect(called[0]).toEqual({ method: 'HEAD' });
    expect(posts().filter(({ type }) => type === 'webhooks.test').length).toBeGreaterThan(0);
  });

  it('finds every signature right on the raw body, and on no body that it writes again', () => {
    expect(posts().filter(({ isGenuine }) => !isGenuine)).toEqual([]);
    expect(posts().filter(({ isRewrittenGenuine }) => isRewrittenGenuine)).toEqual([]);
  });

  it('knows what comes twice by its notificationId, and what comes late by its timestamp', () => {
    const wrong = (word: string) => posts().filter((one) => one.wrong === word);
    expect(wrong('twice').length).toBeGreaterThan(5);
    expect(wrong('late').length).toBeGreaterThan(5);
    expect(wrong('late').map(({ state }) => state)).not.toContain('COMPLETE');
    expect(posts().length - wrong('twice').length).toBe(1 + 6 * payments);
  });

  it('ends with the state that the service shows, for each payment', () => {
    const kept = sent.map((id) => posts().findLast((one) => one.id === id)?.kept);
    expect(kept).toEqual(sent.map(() => 'COMPLETE'));
  });
});
