import { Client, Connection } from '@temporalio/client';
import { createSteadfast, type Steadfast } from '../client/client';
import { signingOf } from '../client/signRequest';
import { addressOf, readTemporalConfig, type TemporalConfig } from '../config';
import { readPrivacy } from '../privacy/privacy';
import { messageOf, UnreachableError } from './exit';
import type { Terminal } from './show/voice';

/** Long enough for a running server on a busy machine. */
const defaultTimeoutMs = 15_000;

export type Connected = {
  steadfast: Steadfast;
  client: Client;
  connection: Connection;
  config: TemporalConfig;
};

/** Connects to Temporal as the environment says, or throws one sentence that says why. */
export async function connect({
  env,
  connectTimeoutMs = defaultTimeoutMs,
}: Pick<Terminal, 'env' | 'connectTimeoutMs'>): Promise<Connected> {
  const config = readTemporalConfig(env);
  const { namespace } = config;
  const { dataConverter, isPrivate } = readPrivacy(namespace, env);
  const connection = await reach(config, connectTimeoutMs);
  const client = new Client({ connection, namespace, dataConverter });
  const signing = signingOf(env);
  const steadfast = createSteadfast({ ...config, client, isPrivate, signing });
  return { steadfast, client, connection, config };
}

async function reach(config: TemporalConfig, connectTimeout: number): Promise<Connection> {
  try {
    return await Connection.connect({ ...config.connection, connectTimeout });
  } catch (error) {
    throw new UnreachableError(
      `Temporal cannot be reached at ${addressOf(config)} (TEMPORAL_ADDRESS): ${messageOf(error)}. ` +
        'Nothing was asked of it, so the same can be run again. ' +
        'Start it with "npx steadfast dev", or set TEMPORAL_ADDRESS to where it is.',
      { cause: error },
    );
  }
}
