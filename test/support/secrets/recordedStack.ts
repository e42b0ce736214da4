import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createSteadfast, type Steadfast } from '../../../src/client/client';
import { createCustodyClient } from '../../../src/custody/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { limitVariables } from '../../../src/local/limitVariables';
import { spawnSandbox } from '../../../src/local/spawnSandbox';
import { startTemporal } from '../../../src/local/startTemporal';
import { startWorker } from '../../../src/local/startWorker';
import { workflowBundle } from '../temporal';
import { type EchoingProxy, startEchoingProxy } from './echoingProxy';

export type Keys = {
  apiKey: string;
  entitySecret: string;
  /** The API key that a Temporal server in the cloud would need. */
  temporalKey: string;
  /** The key in the chain's address, as node providers use it. */
  rpcKey: string;
};

/**
 * Temporal, sandbox and one worker as processes. One folder keeps all their data, and every printed
 * line is recorded. The proxy between worker and sandbox repeats requests.
 */
export type RecordedStack = {
  folder: string;
  proxy: EchoingProxy;
  client: Client;
  steadfast: Steadfast;
  /** A client of the service without the proxy. */
  custody: CustodyApi;
  origin: string;
  /** The environment of CLI commands. */
  env: Record<string, string>;
  /** Every line that the three processes printed. */
  printed: Record<'temporal' | 'sandbox' | 'worker', string[]>;
  /** Stops the worker and starts one with these variables. */
  replaceWorker(env: Record<string, string>): Promise<void>;
  /** Stops the three processes. Their folder stays. */
  stop(): Promise<void>;
  remove(): void;
};

export async function startRecordedStack(keys: Keys): Promise<RecordedStack> {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-secrets-'));
  const printed: RecordedStack['printed'] = { temporal: [], sandbox: [], worker: [] };
  const keep = (from: keyof typeof printed) => (line: string) => void printed[from].push(line);
  const [temporal, sandbox] = await Promise.all([
    startTemporal({ port: 0, headless: true, dataDir: folder, onLine: keep('temporal') }),
    spawnSandbox({ env: sandboxEnv(keys, folder), onLine: keep('sandbox') }),
  ]);
  const { origin } = new URL(sandbox.baseUrl);
  const proxy = await startEchoingProxy(() => origin);
  const env = workerEnv(keys, { temporal: temporal.address, baseUrl: proxy.baseUrl });
  const bundle = { STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath };
  const start = (more = {}) =>
    startWorker({ env: { ...env, ...bundle, ...more }, onLine: keep('worker') });
  let worker = await start();
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });
  return {
    folder,
    proxy,
    client,
    origin,
    env,
    printed,
    steadfast: createSteadfast({ client, taskQueue: 'steadfast' }),
    custody: createCustodyClient({ ...keys, baseUrl: sandbox.baseUrl }),
    replaceWorker: async (more) => {
      await worker.stop();
      worker = await start(more);
    },
    stop: async () => {
      await worker.stop();
      await sandbox.stop();
      await connection.close();
      await temporal.stop();
      await proxy.close();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sandboxEnv({ apiKey, entitySecret }: Keys, folder: string): Record<string, string> {
  return {
    SANDBOX_PORT: '0',
    SANDBOX_API_KEY: apiKey,
    SANDBOX_ENTITY_SECRET: entitySecret,
    SANDBOX_DATA_DIR: join(folder, 'sandbox'),
    SANDBOX_SETTLE_MS: '300',
    SANDBOX_RATE_LIMIT: 'off',
  };
}

function workerEnv(
  keys: Keys,
  places: { temporal: string; baseUrl: string },
): Record<string, string> {
  const { origin } = new URL(places.baseUrl);
  return {
    TEMPORAL_ADDRESS: places.temporal,
    TEMPORAL_API_KEY: keys.temporalKey,
    TEMPORAL_TLS: 'false',
    CUSTODY_BASE_URL: places.baseUrl,
    CUSTODY_API_KEY: keys.apiKey,
    CUSTODY_ENTITY_SECRET: keys.entitySecret,
    CUSTODY_LOOKUP_GRACE_SECONDS: '2',
    CHAIN_RPC_URL: `${origin}/_sandbox/rpc?key=${keys.rpcKey}`,
    ...limitVariables({ SANDBOX_RATE_LIMIT: 'off' }),
  };
}
