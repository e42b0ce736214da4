import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActivityFailure, Client, Connection, WorkflowFailedError } from '@temporalio/client';
import type { Child } from '../../../src/childProcess';
import type { CallOptions, CustodyApi } from '../../../src/custody/endpoints';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { attacks } from '../../policy/attacks';
import { callsSent } from '../../policy/callsSent';
import { asOf, limitOf, partsOf, stranger, transferFrom } from '../../policy/writer';
import { times } from '../../support/lane';
import { createUsedWallet, startTestSandbox, type TestSandbox } from '../../support/sandbox';
import { temporalAddress } from '../../support/temporal';
import { startPolicedWorker } from './policedWorker';

const taskQueue = `hostile-${process.pid}-${Date.now()}`;
const folder = mkdtempSync(join(tmpdir(), 'steadfast-hostile-'));
let sandbox: TestSandbox;
let connection: Connection;
let client: Client;
let worker: Child;
let wallet: Wallet;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  wallet = await createUsedWallet(sandbox.client, 'EOA');
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify({ version: 1, rules: [limitOf(wallet)] }));
  const off = { STEADFAST_WRITES_PER_SECOND: 'off', STEADFAST_READS_PER_SECOND: 'off' };
  worker = await startPolicedWorker(sandbox, { folder, taskQueue, ...off });
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
});
afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Has a workflow of somebody else schedule an activity. Throws the activity's own failure. */
async function schedule(name: string, input: object, queue = `${taskQueue}-writes`) {
  try {
    const workflowId = `hostile:${randomUUID()}`;
    return await client.workflow.execute('hostile', {
      workflowId,
      taskQueue,
      args: [name, input, queue],
    });
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : error;
    throw cause instanceof ActivityFailure ? cause.cause : cause;
  }
}

/** A raw attempt, as an activity of the writer takes it. */
function raw(input: unknown, how: CallOptions = {}, claims: object = {}): object {
  const { idempotencyKey, refId, ...others } = Object(input);
  const claimed = { bornAtMs: Date.now(), earlierTries: 'clean', baseUrl: sandbox.baseUrl };
  return { ...claimed, parts: how.parts, input: others, ...claims };
}

/** The service as a hostile caller has it: every call is an activity of the real worker. */
const api = new Proxy(Object.create(null) as CustodyApi, {
  get: (_, name: string) => (input: object, how?: CallOptions) =>
    name === 'cancelTransaction'
      ? schedule(name, { ...raw({}, how), transactionId: Reflect.get(input, 'id') })
      : schedule(name, raw(input, how)),
});

/** The worker makes key and reference itself, so a caller has none to change. */
const own = /key that is not of its parts|without the parts/;

describe('through the real worker, an attack moves nothing:', () => {
  it.each(attacks.filter(([what]) => !own.test(what)))('%s', async (what, words, attack) => {
    const before = await callsSent(sandbox);
    const place = { wallet, client: sandbox.client };
    await expect(attack(api, place)).rejects.toThrow(
      words.source.startsWith('is closed') ? /is not registered on this Worker|closed/ : words,
    );
    expect((await callsSent(sandbox)) - before).toBeLessThanOrEqual(
      what.includes('another system') ? 1 : 0,
    );
  });

  it('no parts at all', async () => {
    await expect(schedule('createTransfer', raw({}))).rejects.toThrow();
  });

  it('a small body reserved, and a large one sent under its key', async () => {
    const { input, how } = transferFrom(wallet, '0.1');
    await schedule('createTransfer', raw(input, how));
    const before = await callsSent(sandbox);
    for (const earlierTries of ['clean', 'ambiguous']) {
      const large = raw({ ...input, amounts: ['4'] }, how, { earlierTries });
      await expect(schedule('createTransfer', large)).rejects.toThrow(
        'Its key was used with another body before',
      );
    }
    expect(await callsSent(sandbox)).toBe(before);
  });

  it('a generation that is bumped, over one that has settled', async () => {
    const parts = partsOf();
    const sent = transferFrom(wallet, '0.1');
    await schedule('createTransfer', raw(sent.input, { parts }));
    const before = await callsSent(sandbox);
    for (const generation of [1, 2, 1_000]) {
      const { how } = asOf({ ...parts, generation });
      await expect(schedule('createTransfer', raw(sent.input, how))).rejects.toThrow(
        'needs an end without effect of generation',
      );
    }
    expect(await callsSent(sandbox)).toBe(before);
  });

  it('many transfers at once, of which the window lets no more than nine units out', async () => {
    const count = times({ short: 100, all: 1_000 });
    const tries = Array.from({ length: count }, () => transferFrom(wallet, '1'));
    await Promise.allSettled(
      tries.map(({ input, how }) => schedule('createTransfer', raw(input, how))),
    );
    const answer = await sandbox.client.listTransactions({ pageSize: 50, txType: 'OUTBOUND' });
    const sum = answer.transactions
      .filter(({ walletId, refId }) => walletId === wallet.id && refId?.startsWith('order:'))
      .reduce((all, { amounts }) => all + Number(amounts?.[0] ?? 0), 0);
    expect(sum).toBeGreaterThan(5);
    expect(sum).toBeLessThanOrEqual(9);
  });

  it('a part of a payout that no payout has made', async () => {
    const line = { lineId: 'a', to: stranger, amount: '1', token: 'USDC' };
    const shard = await client.workflow.start('payoutShard', {
      taskQueue,
      workflowId: `payout:hostile:${randomUUID()}`,
      args: [{ lines: [line] }],
    });
    await expect(shard.result()).rejects.toThrow();
  });

  it('an approval that nobody has asked for', async () => {
    const order = {
      from: { walletId: wallet.id },
      to: stranger,
      amount: '1',
      token: 'USDC',
      request: { statement: '{}', signature: 'x'.repeat(60) },
    };
    const started = await client.workflow.start('transferStablecoin', {
      taskQueue,
      workflowId: `transfer:${randomUUID()}`,
      args: [order],
    });
    await expect(started.result()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('is no recipient of the rules out') },
    });
  });
});
