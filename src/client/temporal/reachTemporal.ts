import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import { type TemporalConfig, temporalAddress } from '../../config';
import { log } from '../../log';
import { ConfigError } from '../../variables';
import { temporalFault } from './temporalFault';

const connectTimeoutMs = 30_000;
const pauseMs = 1_000;

/** A connection for workers, to a namespace that is there. */
export type Reached = {
  connection: NativeConnection;
  /**
   * The days for which the namespace keeps closed workflows. Undefined when Temporal does not say.
   */
  retentionDays: number | undefined;
};

/**
 * Connects to Temporal, which may still be starting: it is waited for over half a minute. Throws a
 * ConfigError, with the way out, where it refuses our key or certificate or lacks the namespace.
 */
export async function reachTemporal(config: TemporalConfig): Promise<Reached> {
  const startedAtMs = Date.now();
  for (;;) {
    try {
      return await reach(config);
    } catch (error) {
      const fault = temporalFault(error);
      if (fault !== undefined) throw new ConfigError(fault, { cause: error });
      if (Date.now() - startedAtMs > connectTimeoutMs) throw unreachable(config, error);
      log.warn({ address: config.connection.address }, 'Temporal cannot be reached yet.');
      await sleep(pauseMs);
    }
  }
}

async function reach({ connection: options, namespace }: TemporalConfig): Promise<Reached> {
  const connection = await NativeConnection.connect(options);
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const seconds = config?.workflowExecutionRetentionTtl?.seconds;
    return { connection, retentionDays: seconds ? Number(seconds) / 86_400 : undefined };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function unreachable(config: TemporalConfig, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(
    `TEMPORAL_ADDRESS: Temporal cannot be reached at ${temporalAddress(config)}: ` +
      `${reason.replace(/\.$/, '')}. Set its address. For TLS, see TEMPORAL_TLS.`,
    { cause },
  );
}
