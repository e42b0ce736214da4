import { Connection } from '@temporalio/client';
import { type TemporalConfig, temporalAddress } from '../../config';
import { UnreachableError } from './unreachableError';

/** Long enough for a running server on a busy machine. */
const defaultTimeoutMs = 15_000;

/** A connection for a client. Throws an UnreachableError where there is no Temporal. */
export async function connectTemporal(
  config: TemporalConfig,
  connectTimeout = defaultTimeoutMs,
): Promise<Connection> {
  try {
    return await Connection.connect({ ...config.connection, connectTimeout });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(
      `Temporal cannot be reached at ${temporalAddress(config)} (TEMPORAL_ADDRESS): ` +
        `${reason.replace(/\.$/, '')}. Nothing was asked of it, so the same can be run again. ` +
        'Start it with "npx --no-install steadfast dev", or set TEMPORAL_ADDRESS to where it is.',
      { cause: error },
    );
  }
}
