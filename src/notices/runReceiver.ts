import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { readPrivacy } from '../client/privacy/privacy';
import { reachTemporal } from '../client/temporal/reachTemporal';
import { type CustodyConfig, readCustodyConfig, readTemporalConfig } from '../config';
import { createCustodyClient } from '../custody/client';
import { log } from '../log';
import { type Meter, meterOf } from '../telemetry/meter';
import { observeWorker } from '../worker/observeWorker';
import { type ReceiverFlags, readReceiverConfig } from './config';
import { createHandOn } from './handOn';
import { createNoticeKeys } from './http/keys';
import { createReceiver, type ServerParts } from './http/server';
import { receiversOf } from './receivers';
import { subscribe } from './subscriptions';

/** The service repeats a notice that nobody has answered after five seconds. */
const keyDeadlineMs = 3_000;
const subscribeEveryMs = 2_000;

/**
 * The receiver of notices as a program: reads the environment, and serves until SIGTERM. It needs
 * only one secret, the API key, to look up the keys that notices are signed with.
 */
export async function runReceiver(flags: ReceiverFlags = {}): Promise<void> {
  const temporal = readTemporalConfig();
  const custody = readCustodyConfig(undefined, { signs: false });
  const config = readReceiverConfig(flags);
  const { dataConverter } = readPrivacy(temporal.namespace);
  const telemetry = await observeWorker(temporal, custody);
  const { connection } = await reachTemporal(temporal);
  const client = new Client({ connection, namespace: temporal.namespace, dataConverter });
  const api = createCustodyClient({ ...custody, deadlineMs: keyDeadlineMs });
  const server = createReceiver({
    tls: config.tls,
    findKey: createNoticeKeys(api),
    handOn: createHandOn(receiversOf(client, config.received)),
    failed: (error) => log.warn(error, 'A notice could not be handed on. The service repeats it.'),
    count: countWith(meterOf(Runtime.instance().metricMeter)),
  });
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const ended = endOnSignals(server);
  process.stdout.write(`Webhooks ready: ${urlOf(config, server.address())}\n`);
  if (config.endpoint !== undefined) await untilSubscribed(custody, config.endpoint, ended);
  await once(server, 'close');
  await telemetry.stop();
  await connection.close();
}

/** The last notice counts from the start, so that an alert sees that none comes after it. */
function countWith(meter: Meter): ServerParts['count'] {
  const note = (ms: number) => meter.set('steadfast_last_notice_timestamp_seconds', ms / 1_000, {});
  note(Date.now());
  return (outcome, lastMs) => {
    meter.count('steadfast_notices_total', { outcome });
    if (lastMs !== undefined) note(lastMs);
  };
}

function endOnSignals(server: ReturnType<typeof createReceiver>): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      ended.abort();
      server.close();
      server.closeIdleConnections();
    });
  }
  return ended.signal;
}

function urlOf(
  { host, tls }: Pick<ReturnType<typeof readReceiverConfig>, 'host' | 'tls'>,
  address: AddressInfo | string | null,
): string {
  const port = typeof address === 'object' ? address?.port : address;
  const name = host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}/`;
}

/** The service may still be starting, and it asks this receiver before it agrees. */
async function untilSubscribed(
  custody: CustodyConfig,
  endpoint: string,
  ended: AbortSignal,
): Promise<void> {
  const api = createCustodyClient(custody);
  while (!ended.aborted) {
    try {
      const { subscription, outcome } = await subscribe(api, endpoint);
      log.info({ endpoint, id: subscription.id, outcome }, 'Notices are subscribed.');
      return;
    } catch (error) {
      log.warn(error, 'Notices cannot be subscribed yet.');
      await sleep(subscribeEveryMs, undefined, { signal: ended }).catch(() => {});
    }
  }
}
