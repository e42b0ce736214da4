import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import Database from 'libsql';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import { NoAnswerError, NotSentError } from '../../src/custody/errors';
import type { Wallet } from '../../src/custody/objects/wallet';
import type { Child } from '../../src/local/childProcess';
import { startWorker } from '../../src/local/startWorker';
import { limitWrites } from '../../src/worker/limitWrites';
import { openLedger } from '../../src/writer/ledger/openLedger';
import { newFolder, stopLater } from '../support/jest/setUp';
import { inSandbox } from '../support/sandbox';
import { temporalAddress, workflowBundle } from '../support/temporal';
import { limitOf, payee, stranger, transferFrom } from '../writer/writer';

const folder = newFolder();
const taskQueue = `limits-${process.pid}-${Date.now()}`;
const sandbox = inSandbox();
let worker: Child;
let connection: Connection;
let steadfast: Steadfast;
let wallet: Wallet;

/** The variables of a worker without a policy. */
const envOf = (queue: string): Record<string, string> => ({
  TEMPORAL_ADDRESS: temporalAddress(),
  STEADFAST_TASK_QUEUE: queue,
  STEADFAST_WRITES_PER_SECOND: 'off',
  STEADFAST_READS_PER_SECOND: 'off',
  STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
  CUSTODY_BASE_URL: sandbox.baseUrl,
  CUSTODY_API_KEY: sandbox.secrets.apiKey,
  CUSTODY_ENTITY_SECRET: sandbox.secrets.entitySecret,
});

beforeAll(async () => {
  wallet = await sandbox.usedWallet('EOA');
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify({ version: 1, rules: [limitOf(wallet)] }));
  worker = await startWorker({
    env: {
      ...envOf(taskQueue),
      STEADFAST_POLICY_FILE: policy,
      STEADFAST_LEDGER: `file:${join(folder, 'ledger.db')}`,
    },
  });
  stopLater(() => worker.stop());
  connection = await Connection.connect({ address: temporalAddress() });
  stopLater(() => connection.close());
  steadfast = createSteadfast({ client: new Client({ connection }), taskQueue });
});

const service = {
  baseUrl: 'http://127.0.0.1:9/v1/w3s',
  entitySecret: '5eed'.repeat(16),
  blockchain: 'ARC-TESTNET',
  keyLifetimeMs: 1,
  lookupGraceMs: 1,
  chainRpcUrl: undefined,
  publicKeySha256: undefined,
};

const orderOf = (to: string, amount: string) => ({
  from: { walletId: wallet.id },
  to,
  amount,
  token: 'USDC',
});

test('a worker with a policy pays what a rule names, and refuses the rest with its reason', async () => {
  const paid = await steadfast.execute('transferStablecoin', 'transfer:in', orderOf(payee, '2'));
  expect(paid).toMatchObject({ state: 'COMPLETE', amount: '2' });
  const refused = steadfast.execute('transferStablecoin', 'transfer:out', orderOf(stranger, '1'));
  await expect(refused).rejects.toThrow(
    `The policy does not allow this createTransfer. ${stranger} is no recipient of the rules out.`,
  );
  const logs = await sandbox.transfers({ from: wallet.address });
  expect(logs.map(({ value }) => value)).toEqual([2_000_000n]);
});

describe('a worker without a policy, of an account that a ledger has claimed', () => {
  const queue = `${taskQueue}-open`;
  const claimant = async (): Promise<string> => {
    const { walletSets } = await sandbox.client.listWalletSets({ pageSize: 50 });
    const names = walletSets.map(({ name = '' }) => /^steadfast-ledger (\S+)$/.exec(name)?.[1]);
    return names.find((name) => name !== undefined) ?? 'nobody';
  };
  const paidTo = async (to: string) => (await sandbox.transfers({ to })).map(({ value }) => value);

  test('sends nothing, says why and what to do, and pays once the policy is given up', async () => {
    const lines: string[] = [];
    const onLine = (line: string) => lines.push(line);
    const open = createSteadfast({ client: new Client({ connection }), taskQueue: queue });
    const first = await startWorker({ env: envOf(queue), onLine });
    const ledger = await claimant();
    const started = await open.start('transferStablecoin', 'transfer:past', orderOf(stranger, '3'));
    const words = `STEADFAST_LEDGER_REPLACES=${ledger}`;
    try {
      while (!JSON.stringify(await open.status('transfer:past')).includes(words)) await sleep(200);
      expect(await paidTo(stranger)).toEqual([]);
      expect(lines.join('\n')).toContain(`claimed by the ledger ${ledger}`);
      await open.cancel('transfer:past', 'The policy does not name it.');
      await expect(started.receipt()).rejects.toThrow();
    } finally {
      await first.stop();
    }
    const second = await startWorker({
      env: { ...envOf(queue), STEADFAST_LEDGER_REPLACES: ledger },
    });
    try {
      await open.execute('transferStablecoin', 'transfer:now', orderOf(stranger, '3'));
      expect(await paidTo(stranger)).toEqual([3_000_000n]);
    } finally {
      await second.stop();
    }
  });

  test('writes nothing at all, in any way, and reads as before', async () => {
    const custody = {
      ...service,
      baseUrl: sandbox.baseUrl,
      ...sandbox.secrets,
      replaces: undefined,
    };
    const { api } = await limitWrites(createCustodyClient(custody), custody, undefined);
    const { input } = transferFrom(wallet, '1', { destinationAddress: stranger });
    const before = await paidTo(stranger);
    for (const write of [
      () => api.createTransfer(input),
      () => api.createWalletSet({ idempotencyKey: randomUUID(), name: 'mine' }),
      () => api.updateWallet({ id: wallet.id, name: 'mine' }),
      () => api.signMessage({ walletId: wallet.id, message: 'mine' }),
      () => api.requestDrip({ address: wallet.address, blockchain: 'ARC-TESTNET', usdc: true }),
    ]) {
      await expect(write()).rejects.toThrow(
        'whose writers keep to a policy, and this writer has none',
      );
    }
    expect((await api.getWallet({ id: wallet.id })).wallet.id).toBe(wallet.id);
    expect(await paidTo(stranger)).toEqual(before);
  });

  test('sends nothing while nobody can tell', async () => {
    const custody = {
      ...service,
      baseUrl: sandbox.baseUrl,
      ...sandbox.secrets,
      replaces: undefined,
    };
    const client = { ...createCustodyClient(custody), listWalletSets: () => Promise.reject(lost) };
    const lost = new NoAnswerError('The connection broke.');
    const { api } = await limitWrites(client, custody, undefined);
    const { input } = transferFrom(wallet, '1', { destinationAddress: stranger });
    await expect(api.createTransfer(input)).rejects.toThrow(NotSentError);
  });
});

describe('at the start of a worker', () => {
  const open = (apiKey: string, files?: { policyPath: string; ledgerPlace: string }) => {
    const authority = files && { ...files, replaces: undefined, namespace: 'default' };
    const custody = { ...service, apiKey, replaces: undefined };
    return limitWrites(createCustodyClient(custody), custody, authority);
  };

  test('a test network is open without a policy', async () => {
    expect((await open('TEST_API_KEY:id:secret')).ledger).toBeUndefined();
  });

  test('a ledger that does not know who was paid is refused where the policy has checks', async () => {
    const policyPath = join(folder, 'checks.json');
    const check = { id: 'payees', kind: 'check', checks: { lookAlike: 'refuse' } };
    writeFileSync(policyPath, JSON.stringify({ version: 1, rules: [check] }));
    const ledgerPlace = join(folder, 'before-payees.db');
    const { id, close } = openLedger(ledgerPlace);
    await close();
    const database = new Database(ledgerPlace);
    database.exec("DELETE FROM facts WHERE name = 'keepsPayees'");
    database.close();
    await expect(open('TEST_API_KEY:id:secret', { policyPath, ledgerPlace })).rejects.toThrow(
      `made by a version that did not keep it. Set STEADFAST_LEDGER to a new file, and STEADFAST_LEDGER_REPLACES=${id}.`,
    );
    const fresh = { policyPath, ledgerPlace: join(folder, 'with-payees.db') };
    await (await open('TEST_API_KEY:id:secret', fresh)).ledger?.close();
  });

  test('a policy is in force as soon as its worker has started', async () => {
    const files = { policyPath: join(folder, 'policy.json'), ledgerPlace: ':memory:' };
    const { ledger } = await open('TEST_API_KEY:id:secret', files);
    const fault = await ledger?.putInForce({ version: 1, digest: 'another' });
    expect(fault).toContain('Another policy with the same version 1 is in force.');
    await ledger?.close();
  });
});
