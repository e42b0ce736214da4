import { Client } from '@temporalio/client';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { Archive } from '../books/archive/archive';
import { openArchive } from '../books/archive/openArchive';
import { readReceiver } from '../client/answers/config';
import { type Receiver, receiverFor } from '../client/answers/receiver';
import { readPrivacy } from '../client/privacy/privacy';
import { reachTemporal } from '../client/temporal/reachTemporal';
import { hasSearchAttributes } from '../client/temporal/searchAttributes';
import { type CustodyConfig, readTemporalConfig, type TemporalConfig } from '../config';
import { createCustodyClient } from '../custody/client';
import { log } from '../log';
import { attributeNames } from '../orders/progress/status';
import { openIndex } from '../store/index/openIndex';
import { ConfigError } from '../variables';
import { serviceClock } from '../writer/clock';
import { buildIndex } from './buildIndex';
import { type LimitedClient, limitWrites } from './limitWrites';
import { observeWorker } from './observeWorker';
import { refuseOtherNode } from './refuseOtherNode';
import { buildWorkflows, createWorkers } from './worker';
import {
  roles as allRoles,
  type Role,
  readDeployment,
  readLedgers,
  readLimits,
  readServiceConfig,
  readWorkerConfig,
} from './workerConfig';

const retentionDaysMin = 30;

/**
 * The worker program: reads the environment, serves its roles until SIGTERM, then finishes what is
 * under way or hands it over. Roles that are named win over those of the environment.
 */
export async function runWorker(named: readonly string[] = []): Promise<void> {
  const temporal = readTemporalConfig();
  const { roles, shutdownMs, bundlePath, store, authority, replaces } = readWorkerConfig(named);
  const custody = readServiceConfig(roles);
  const deployment = readDeployment();
  const limits = readLimits();
  const { answers, receiver } = receiverOf(roles);
  const { dataConverter, isPrivate } = readPrivacy(temporal.namespace);
  const telemetry = await observeWorker(temporal, custody);
  const [{ connection, retentionDays }, workflows] = await Promise.all([
    refuseOtherNode(custody).then(() => reachTemporal(temporal)),
    roles.includes('workflows')
      ? bundlePath === undefined
        ? buildWorkflows({ isPrivate })
        : { codePath: bundlePath }
      : undefined,
  ]);
  const searchAttributes = await lookAtNamespace(connection, { ...temporal, retentionDays });
  const clock = serviceClock();
  const client =
    custody && telemetry.observed(createCustodyClient({ ...custody, heard: clock.heard }));
  const place = authority && { ...authority, namespace: temporal.namespace, clock };
  const limited = custody && client && (await limitWrites(client, { ...custody, replaces }, place));
  const { api } = limited ?? {};
  const books = { archive: await archiveAt(store, roles), ledgers: ledgersOf(limited), receiver };
  const index = custody && api && openIndex(api, custody, store);
  const workers = await createWorkers({
    ...temporal,
    connection,
    workflows,
    roles,
    shutdownMs,
    deployment,
    limits,
    observing: telemetry.observing,
    dataConverter,
    ...books,
    service: custody &&
      api && {
        custody: api,
        settings: { ...settingsOf(custody, limited), searchAttributes, answers, index },
      },
  });
  const running = Promise.all(workers.map((worker) => worker.run()));
  const ended = new AbortController();
  stopOnSignals(workers, shutdownMs);
  const settling = limited?.settle?.(ended);
  const building = roles.includes('reads') && index && buildIndex(index, ended);
  if (custody && limited) await checkService(custody, limited);
  tellReady(temporal, roles);
  if (searchAttributes && roles.includes('workflows')) {
    telemetry.watch(new Client({ connection, namespace: temporal.namespace, dataConverter }));
  }
  await running;
  ended.abort();
  await Promise.all([building, settling]);
  await Promise.all([limited?.ledger?.close(), books.archive?.close(), receiver?.close()]);
  await telemetry.stop();
  await connection.close();
}

/** The receiver of ends. Only the role workflows sends, and needs the secret. */
function receiverOf(roles: readonly Role[]): { answers: boolean; receiver: Receiver | undefined } {
  const signs = roles.includes('workflows');
  const isToldBy = signs || roles.includes('reads');
  const settings = isToldBy ? readReceiver(undefined, { signs }) : undefined;
  const receiver = signs && settings ? receiverFor(settings) : undefined;
  return { answers: settings !== undefined, receiver };
}

/** The archive of a store. Nothing that only writes needs it. */
async function archiveAt(
  store: string | undefined,
  roles: readonly Role[],
): Promise<Archive | undefined> {
  if (store === undefined || roles.every((role) => role === 'writes')) return undefined;
  try {
    return await openArchive(store);
  } catch (error) {
    throw new ConfigError(`STEADFAST_STORE: ${error instanceof Error ? error.message : error}`);
  }
}

/** The ledgers whose seals count in receipts: the own one, and those that the environment names. */
function ledgersOf(limited: LimitedClient | undefined): string[] {
  const own = limited?.ledger?.id;
  return own === undefined ? readLedgers() : [...readLedgers(), own];
}

/** Only what activities need: the secrets stay in the client. */
function settingsOf(
  { baseUrl, blockchain, keyLifetimeMs, lookupGraceMs, chainRpcUrl }: CustodyConfig,
  { explain, withdraw, standing }: Partial<LimitedClient> = {},
) {
  const { bookPath } = readWorkerConfig();
  const policy = { explain, withdraw, standing };
  return { baseUrl, blockchain, keyLifetimeMs, lookupGraceMs, chainRpcUrl, bookPath, ...policy };
}

/** The second signal ends the process at once, as it does with any program. */
function stopOnSignals(workers: readonly Worker[], shutdownMs: number): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal, shutdownMs }, 'The worker accepts no new tasks and finishes what it has.');
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    });
  }
}

function tellReady(
  { taskQueue, namespace }: Pick<TemporalConfig, 'taskQueue' | 'namespace'>,
  roles: readonly Role[],
): void {
  const part = roles.length === allRoles.length ? '' : ` (${roles.join(', ')})`;
  process.stdout.write(`Worker ready: ${taskQueue} in ${namespace}${part}\n`);
}

/** True if the namespace has our search attributes. Warns of what it lacks. */
async function lookAtNamespace(
  connection: NativeConnection,
  { namespace, retentionDays }: { namespace: string; retentionDays: number | undefined },
): Promise<boolean> {
  const searchAttributes = await hasSearchAttributes(connection, namespace);
  if (!searchAttributes) warnOfMissingAttributes(namespace);
  warnOfShortRetention(namespace, retentionDays);
  return searchAttributes;
}

function warnOfMissingAttributes(namespace: string): void {
  log.warn(
    { namespace },
    `The namespace lacks our search attributes (${attributeNames.join(', ')}). Orders run without them.`,
  );
}

function warnOfShortRetention(namespace: string, days: number | undefined): void {
  if (days === undefined || days >= retentionDaysMin) return;
  log.warn(
    { namespace, days },
    `The namespace keeps closed workflows for ${days} days; ${retentionDaysMin} are advised, ` +
      'so that an order that is started again finds its earlier runs.',
  );
}

/**
 * Warns at once when the service refuses the API key, or when a ledger has the account. The worker
 * stays up, and works once that is mended.
 */
async function checkService(
  { baseUrl }: CustodyConfig,
  { api, check }: LimitedClient,
): Promise<void> {
  try {
    await api.getPublicKey({});
    await check?.();
  } catch (error) {
    log.warn({ baseUrl }, error instanceof Error ? error.message : String(error));
  }
}
