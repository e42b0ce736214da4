import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { stringify } from 'yaml';
import { run } from '../../scripts/run';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { startChild } from '../../src/local/childProcess';
import type { Identity } from './certificates';
import { type Mortal, mortal } from './mortal';
import type { Postgres } from './postgres';
import { quietPorts } from './processes';
import type { TemporalPrograms } from './temporalPrograms';

type RealTemporalOptions = {
  programs: TemporalPrograms;
  postgres: Postgres;
  /** The folder of its configuration. */
  folder: string;
  /** Its certificate, and the authority that must have signed clients' certificates. */
  tls: Identity;
  /** The URL of the public key that API keys are checked with. */
  keysUrl: string;
  /** The connection that asks whether it serves. */
  asAdministrator: Pick<ConnectionOptions, 'tls' | 'apiKey'>;
};

const readyMsMax = 90_000;
const plugin = 'postgres12';
const databases = { store: 'temporal', visibility: 'temporal_visibility' };
/** The schema versions of this server, from its own schema/postgresql/v12/version.go. */
const schemas = {
  store: { name: 'temporal', version: '1.18' },
  visibility: { name: 'visibility', version: '1.9' },
};
/** As the server's own configuration for Postgres has it. */
const historyShards = 4;

/**
 * Temporal's own server, all of its services in one process, on a Postgres: with mutual TLS and API
 * keys, as in production. It is not started yet.
 */
export async function realTemporal(
  options: RealTemporalOptions,
): Promise<{ server: Mortal; address: string }> {
  for (const store of ['store', 'visibility'] as const) await createDatabase(options, store);
  const { folder, programs, asAdministrator } = options;
  const ports = await servicePorts();
  mkdirSync(join(folder, 'config'), { recursive: true });
  const dynamic = join(folder, 'config', 'dynamic.yaml');
  writeFileSync(dynamic, stringify({ 'matching.useNewMatcher': [{ value: true }] }));
  const file = join(folder, 'config', 'production.yaml');
  writeFileSync(file, stringify(configurationOf(options, ports, dynamic)));
  const address = `127.0.0.1:${ports.frontend[0]}`;
  const server = mortal(
    'temporal',
    () => {
      const named = Object.keys(ports).flatMap((name) => ['--service', name]);
      const command = [
        ...([programs.server, '--root', folder, '--env', 'production', 'start'] as const),
        ...named,
      ] as const;
      const child = startChild({ command, env: bareEnvironment() });
      const served = answers({ address, ...asAdministrator }).catch((error) => {
        const last = child.lastLines().slice(-10).join('\n');
        throw new Error(`Temporal does not serve. Its last words:\n${last}`, { cause: error });
      });
      return { child: Promise.resolve(child), served };
    },
    undefined,
  );
  return { server, address };
}

type Store = keyof typeof databases;
type Service = 'frontend' | 'internal-frontend' | 'history' | 'matching' | 'worker';
type Ports = Record<Service, readonly [grpc: number, membership: number]>;

async function createDatabase({ programs, postgres }: RealTemporalOptions, store: Store) {
  const at = ['--plugin', plugin, '--ep', '127.0.0.1', '--port', `${postgres.port}`];
  const tool = [programs.sqlTool, ...at, '--user', postgres.user, '--db', databases[store]];
  const { name, version } = schemas[store];
  const schema = ['setup-schema', '--schema-name', `postgresql/v12/${name}`, '--version', version];
  for (const command of [['create'], schema]) {
    const { code, output } = await run([...tool, ...command], { quiet: true, timeoutMs: 60_000 });
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`);
  }
}

/** Ports that no connection is given while the server is away. */
async function servicePorts(): Promise<Ports> {
  const pair = async () => {
    const { temporal, sandbox } = await quietPorts();
    return [temporal, sandbox] as const;
  };
  return {
    frontend: await pair(),
    'internal-frontend': await pair(),
    history: await pair(),
    matching: await pair(),
    worker: await pair(),
  };
}

function configurationOf(
  { postgres, tls, keysUrl }: RealTemporalOptions,
  ports: Ports,
  dynamicPath: string,
): object {
  const sql = (store: Store) => ({
    sql: {
      pluginName: plugin,
      databaseName: databases[store],
      user: postgres.user,
      connectAddr: `127.0.0.1:${postgres.port}`,
      connectProtocol: 'tcp',
      maxConns: 20,
      maxIdleConns: 20,
      maxConnLifetime: '1h',
    },
  });
  const services = Object.entries(ports).map(([name, [grpcPort, membershipPort]]) => [
    name,
    { rpc: { grpcPort, membershipPort, bindOnLocalHost: true } },
  ]);
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'store',
      visibilityStore: 'visibility',
      numHistoryShards: historyShards,
      datastores: { store: sql('store'), visibility: sql('visibility') },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      tls: {
        frontend: {
          server: {
            certFile: tls.cert,
            keyFile: tls.key,
            requireClientAuth: true,
            clientCaFiles: [tls.ca],
          },
        },
      },
      authorization: {
        jwtKeyProvider: { keySourceURIs: [keysUrl], refreshInterval: '1m' },
        permissionsClaimName: 'permissions',
        authorizer: 'default',
        claimMapper: 'default',
      },
    },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.frontend[0]}`,
        },
      },
    },
    dynamicConfigClient: { filepath: dynamicPath, pollInterval: '10s' },
  };
}

/** Resolves once the server answers something of a namespace. */
async function answers(options: ConnectionOptions): Promise<void> {
  for (const endMs = Date.now() + readyMsMax; ; await sleep(200)) {
    try {
      const connection = await Connection.connect({ ...options, connectTimeout: 2_000 });
      await connection.workflowService.listNamespaces({}).finally(() => connection.close());
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
    }
  }
}
