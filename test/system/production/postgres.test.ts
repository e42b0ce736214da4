import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { type Identity, makeCertificates } from '../../../proof/kill/certificates';
import { killAndStart } from '../../../proof/kill/kills';
import type { Mortal } from '../../../proof/kill/mortal';
import { type Postgres, startPostgres } from '../../../proof/kill/postgres';
import { realTemporal } from '../../../proof/kill/realTemporal';
import { temporalPrograms } from '../../../proof/kill/temporalPrograms';
import { startTokenIssuer, type TokenIssuer } from '../../../proof/kill/tokenIssuer';
import { createSteadfast, type Steadfast } from '../../../src/client/client';
import { registerAttributes } from '../../../src/client/temporal/searchAttributes';
import { createCustodyClient } from '../../../src/custody/client';
import type { Child } from '../../../src/local/childProcess';
import { localKeys } from '../../../src/local/localKeys';
import { type LocalSandbox, spawnSandbox } from '../../../src/local/spawnSandbox';
import { startWorker } from '../../../src/local/startWorker';
import { attributeNames } from '../../../src/orders/progress/status';
import { runCli } from '../../cli/runCli';
import { missingPrograms } from '../../support/missingPrograms';
import { newLines, paidOnChain, payers, payoutOf } from '../../support/payouts';
import { workflowBundle } from '../../support/temporal';

const missing = missingPrograms(['initdb', 'postgres', 'go', 'openssl']);
const whereItCan = missing.length === 0 ? describe : describe.skip;

const namespace = 'payments';
const lineCount = 500;
const folder = mkdtempSync(join(tmpdir(), 'steadfast-real-'));

let postgres: Postgres;
let issuer: TokenIssuer;
let temporal: Mortal;
let sandbox: LocalSandbox;
let connection: Connection;
let steadfast: Steadfast;
let rpcUrl: string;
const workers: Child[] = [];
const keys = localKeys();
/** The TEMPORAL_* variables of a worker or client. */
let access: Record<string, string>;

function tlsOf({ cert, key, ca }: Identity) {
  return {
    serverRootCACertificate: readFileSync(ca),
    serverNameOverride: 'localhost',
    clientCertPair: { crt: readFileSync(cert), key: readFileSync(key) },
  };
}

async function makeNamespace(address: string, asAdministrator: object): Promise<void> {
  const admin = await Connection.connect({ address, ...asAdministrator });
  const workflowExecutionRetentionPeriod = msToTs('30 days');
  await admin.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  // All parts of the server know a namespace only a moment later.
  for (let tries = 1; ; tries += 1) {
    try {
      await registerAttributes(admin, namespace, attributeNames);
      break;
    } catch (error) {
      if (tries === 60) throw error;
      await sleep(500);
    }
  }
  await admin.close();
}

whereItCan("Temporal's own server on a Postgres, with mutual TLS and API keys", () => {
  beforeAll(async () => {
    const programs = await temporalPrograms();
    if (programs === undefined) throw new Error('Go is installed, but the server was not built.');
    const [certificates, database, tokens] = await Promise.all([
      ...([makeCertificates(folder), startPostgres(), startTokenIssuer()] as const),
    ]);
    postgres = database;
    issuer = tokens;
    const { server: tls, client } = certificates;
    const { keysUrl } = issuer;
    const asAdministrator = { tls: tlsOf(client), apiKey: issuer.issue(['temporal-system:admin']) };
    const options = { programs, postgres, folder, tls, keysUrl, asAdministrator };
    const real = await realTemporal(options);
    const { address } = real;
    temporal = real.server;
    await temporal.start();
    await makeNamespace(address, asAdministrator);
    const apiKey = issuer.issue([`${namespace}:worker`, `${namespace}:write`]);
    access = {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      TEMPORAL_API_KEY: apiKey,
      TEMPORAL_TLS_CLIENT_CERT_PATH: client.cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: client.key,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: client.ca,
      TEMPORAL_TLS_SERVER_NAME: 'localhost',
    };
    sandbox = await spawnSandbox({
      env: {
        SANDBOX_PORT: '0',
        SANDBOX_SETTLE_MS: '500',
        SANDBOX_RATE_LIMIT: 'off',
        SANDBOX_API_KEY: keys.apiKey,
        SANDBOX_ENTITY_SECRET: keys.entitySecret,
      },
    });
    const { origin } = new URL(sandbox.baseUrl);
    rpcUrl = `${origin}/_sandbox/rpc`;
    const env = {
      ...access,
      CUSTODY_BASE_URL: sandbox.baseUrl,
      CHAIN_RPC_URL: rpcUrl,
      CUSTODY_API_KEY: keys.apiKey,
      CUSTODY_ENTITY_SECRET: keys.entitySecret,
      STEADFAST_WRITES_PER_SECOND: 'off',
      STEADFAST_READS_PER_SECOND: 'off',
      STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
    };
    workers.push(...(await Promise.all([startWorker({ env }), startWorker({ env })])));
    connection = await Connection.connect({ address, tls: tlsOf(client), apiKey });
    const client_ = new Client({ connection, namespace });
    steadfast = createSteadfast({ client: client_, taskQueue: 'steadfast' });
  });

  afterAll(async () => {
    await connection?.close();
    await Promise.all(workers.map((worker) => worker.stop()));
    await sandbox?.stop();
    await temporal?.kill();
    await postgres?.stop();
    await issuer?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('runs both sequences', async () => {
    const [deployment, transfer] = await Promise.all([
      steadfast.execute('deploymentSequence', 'deploy:real', {
        name: 'Real Dollar',
        parameters: { name: 'Real Dollar', symbol: 'REAL' },
      }),
      steadfast.execute('transferSequence', 'transfer:real', {
        name: 'Tills',
        amount: '2.50',
        token: 'USDC',
      }),
    ]);
    expect(deployment.contractAddress).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(transfer).toMatchObject({ state: 'COMPLETE', amount: '2.5' });
    // The list lags behind. If it never shows the end, this test times out.
    for (;;) {
      const [listed] = await steadfast.list({ kind: 'transferSequence' });
      expect(listed).toMatchObject({ workflowId: 'transfer:real' });
      if (listed?.status === 'Done') break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  test('pays 500 lines once each, with the server killed in the middle', async () => {
    const wallets = await payers(
      { client: createCustodyClient({ ...keys, baseUrl: sandbox.baseUrl }) },
      ...(['EOA', 'EOA', 'EOA', 'EOA'] as const),
    );
    const lines = newLines(lineCount);
    // At full speed all of them may be paid before a busy machine can kill the server.
    const order = payoutOf(wallets, { lines, batch: false, linesPerS: 20 });
    const payout = await steadfast.start('payout', `payout:${order.payoutId}`, order);
    const done = payout.receipt();
    done.catch(() => {});
    const count = async () =>
      Object.values(await paidOnChain({ rpcUrl }, lines)).filter((hashes) => hashes.length > 0)
        .length;
    while ((await count()) < lineCount / 3) await sleep(100);
    const paidBefore = await count();
    await killAndStart(temporal, 1_000);
    expect(paidBefore).toBeLessThan(lineCount);
    await steadfast.rate(payout.workflowId, null);
    expect(await done).toMatchObject({ lines: lineCount, paid: lineCount });
    const paid = await paidOnChain({ rpcUrl }, lines);
    const often = Object.values(paid).map((hashes) => hashes.length);
    process.stdout.write(
      `\n${often.length} lines on Postgres, the server killed after ${paidBefore}: ` +
        `${often.filter((times) => times > 1).length} twice, ` +
        `${often.filter((times) => times === 0).length} lost\n\n`,
    );
    expect(new Set(often)).toEqual(new Set([1]));
  });

  test('refuses a caller without a key or a certificate in one sentence', async () => {
    const cli = (changes: Record<string, string>) => runCli(['list'], { ...access, ...changes });
    const other = await cli({ TEMPORAL_API_KEY: issuer.issue(['elsewhere:write']) });
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/^Error: TEMPORAL_API_KEY: Temporal refuses it/);
    const bare = await cli({ TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' });
    expect(bare.code).toBe(2);
    expect(bare.stderr).toMatch(/^Error: Temporal cannot be reached at 127/);
    expect((await cli({})).stderr).toBe('');
  });
});
