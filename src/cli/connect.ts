import { Client, Connection } from '@temporalio/client';
import { createSteadfast, type Steadfast } from '../client';
import { addressOf, readTemporalConfig, type TemporalConfig } from '../config';
import { readPrivacy } from '../privacy/privacy';
import { UnreachableError } from './exit';

/** A person is waiting: a server that is there answers well within this, on a busy machine too. */
const connectTimeoutMs = 15_000;

export type Connected = {
  steadfast: Steadfast;
  client: Client;
  connection: Connection;
  config: TemporalConfig;
};

/** Connects to Temporal as the environment says, or says in one sentence why it cannot. */
export async function connect(): Promise<Connected> {
  const config = readTemporalConfig();
  const { namespace } = config;
  const { dataConverter, isPrivate } = readPrivacy(namespace);
  const connection = await reach(config);
  const client = new Client({ connection, namespace, dataConverter });
  const steadfast = createSteadfast({ ...config, client, isPrivate });
  return { steadfast, client, connection, config };
}

async function reach(config: TemporalConfig): Promise<Connection> {
  try {
    return await Connection.connect({ ...config.connection, connectTimeout: connectTimeoutMs });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(
      `Temporal cannot be reached at ${addressOf(config)} (TEMPORAL_ADDRESS): ${reason}. ` +
        'Nothing was asked of it, so the same can be run again. ' +
        'Start it with "npx steadfast dev", or set TEMPORAL_ADDRESS to where it is.',
      { cause: error },
    );
  }
}
