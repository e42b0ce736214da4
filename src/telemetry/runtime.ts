import { createServer } from 'node:net';
import type { RuntimeOptions } from '@temporalio/worker';
import { ConfigError } from '../variables';
import { givenName, metrics } from './metrics';

type TelemetryOptions = NonNullable<RuntimeOptions['telemetryOptions']>;

/**
 * Options for Temporal's runtime, which then serves its metrics and ours at an address. Durations
 * are in seconds, and names have units, as Prometheus expects.
 */
export function metricsOptions(address: string | undefined): TelemetryOptions {
  if (address === undefined) return {};
  return {
    metrics: {
      prometheus: {
        bindAddress: address,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
        histogramBucketOverrides: bucketsByName(),
      },
    },
  };
}

function bucketsByName(): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, metric]) =>
      'buckets' in metric ? [[givenName(name), [...metric.buckets]]] : [],
    ),
  );
}

/** Throws a ConfigError that says why nothing can be served at an address. */
export async function checkAddress(address: string): Promise<void> {
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? [];
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(port), host, resolve);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `STEADFAST_METRICS_ADDRESS: nothing can be served at ${address} (${reason}). ` +
        'Give each worker of a machine a port of its own.',
    );
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
