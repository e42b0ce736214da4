import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../../src/childProcess';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import type { Wallet } from '../../src/custody/objects/wallet';
import { startWorker } from '../../src/stack/startWorker';
import { limitWrites } from '../../src/worker/limitWrites';
import { limitOf, payee, stranger } from '../policy/writer';
import {
  createUsedWallet,
  startTestSandbox,
  type TestSandbox,
  tokenTransfers,
} from '../support/sandbox';
import { temporalAddress, workflowBundle } from '../support/temporal';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-limits-'));
const taskQueue = `limits-${process.pid}-${Date.now()}`;
let sandbox: TestSandbox;
let worker: Child;
let connection: Connection;
let steadfast: Steadfast;
let wallet: Wallet;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  wallet = await createUsedWallet(sandbox.client, 'EOA');
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify({ version: 1, rules: [limitOf(wallet)] }));
  worker = await startWorker({
    env: {
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: taskQueue,
      STEADFAST_WRITES_PER_SECOND: 'off',
      STEADFAST_READS_PER_SECOND: 'off',
      STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
      STEADFAST_POLICY_FILE: policy,
      STEADFAST_LEDGER: `file:${join(folder, 'ledger.db')}`,
      CUSTODY_BASE_URL: sandbox.baseUrl,
      CUSTODY_API_KEY: sandbox.secrets.apiKey,
      CUSTODY_ENTITY_SECRET: sandbox.secrets.entitySecret,
    },
  });
  connection = await Connection.connect({ address: temporalAddress() });
  steadfast = createSteadfast({ client: new Client({ connection }), taskQueue });
});
afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

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
  const logs = await tokenTransfers(sandbox.rpcUrl, { from: wallet.address });
  expect(logs.map(({ value }) => value)).toEqual([2_000_000n]);
});

describe('at the start of a worker', () => {
  const service = {
    baseUrl: 'http://127.0.0.1:9/v1/w3s',
    entitySecret: '5eed'.repeat(16),
    blockchain: 'ARC-TESTNET',
    keyLifetimeMs: 1,
    lookupGraceMs: 1,
    chainRpcUrl: undefined,
    publicKeySha256: undefined,
  };
  const open = (apiKey: string, files?: { policyPath: string; ledgerPlace: string }) => {
    const authority = files && { ...files, replaces: undefined, namespace: 'default' };
    const custody = { ...service, apiKey };
    return limitWrites(createCustodyClient(custody), custody, authority);
  };

  test('a test network is open without a policy', async () => {
    expect((await open('TEST_API_KEY:id:secret')).ledger).toBeUndefined();
  });

  test('a policy is in force as soon as its worker has started', async () => {
    const files = { policyPath: join(folder, 'policy.json'), ledgerPlace: ':memory:' };
    const { ledger } = await open('TEST_API_KEY:id:secret', files);
    const fault = await ledger?.putInForce({ version: 1, digest: 'another' });
    expect(fault).toContain('Another policy with the same version 1 is in force.');
    await ledger?.close();
  });

  test('a LIVE_ key is refused without one, and so is a policy with a limit that wants no signature', async () => {
    await expect(open('LIVE_API_KEY:id:secret')).rejects.toThrow(
      'STEADFAST_POLICY_FILE: is not set.',
    );
    const policyPath = join(folder, 'policy.json');
    const files = { policyPath, ledgerPlace: ':memory:' };
    await expect(open('LIVE_API_KEY:id:secret', files)).rejects.toThrow(
      'the rule out names no signedBy, which a LIVE_ key needs',
    );
  });
});
