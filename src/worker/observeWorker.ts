import { Runtime } from '@temporalio/worker';
import { readCodecKeys } from '../client/privacy/config';
import type { CustodyConfig, TemporalConfig } from '../config';
import { keepSecret, log, logFrom, temporalLogger } from '../log';
import { readLogLevel, readMetricsAddress, readTraces } from '../telemetry/config';
import { checkAddress, metricsOptions } from '../telemetry/runtime';
import { startTelemetry, type Telemetry } from '../telemetry/telemetry';

/**
 * Sets up what is seen of a worker process, before anything happens that could be seen. From then
 * on none of its secrets gets into a log.
 */
export async function observeWorker(
  temporal: TemporalConfig,
  custody: CustodyConfig | undefined,
): Promise<Telemetry> {
  const address = readMetricsAddress();
  const traces = readTraces('steadfast-worker');
  logFrom(readLogLevel());
  keepSecret(custody?.apiKey, custody?.entitySecret, ...privateParts(custody?.chainRpcUrl));
  keepSecret(...Object.values(temporal.connection.metadata ?? {}).map(String));
  keepSecret(apiKeyOf(temporal), ...Object.values(traces?.headers ?? {}));
  keepSecret(...readCodecKeys().map(({ bytes }) => bytes.toString('base64')));
  if (address !== undefined) await checkAddress(address);
  Runtime.install({
    logger: temporalLogger(),
    shutdownSignals: [],
    telemetryOptions: metricsOptions(address),
  });
  return startTelemetry(traces, log);
}

/** The parts of a node's URL that may be a key: its path and its password, but not its host. */
function privateParts(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { pathname, search, password } = new URL(url);
  return [pathname + search, decodeURIComponent(password)];
}

function apiKeyOf({ connection }: TemporalConfig): string | undefined {
  return typeof connection.apiKey === 'string' ? connection.apiKey : undefined;
}
