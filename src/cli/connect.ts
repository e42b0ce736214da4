import { Client, type Connection } from '@temporalio/client';
import { bareClient } from '../client/bareClient';
import type { Steadfast } from '../client/client';
import { readPrivacy } from '../client/privacy/privacy';
import { signingOf } from '../client/signing/signRequest';
import { connectTemporal } from '../client/temporal/connectTemporal';
import { readTemporalConfig, type TemporalConfig } from '../config';
import type { Terminal } from './show/voice';

export type Connected = {
  steadfast: Steadfast;
  client: Client;
  connection: Connection;
  config: TemporalConfig;
};

/** Connects to Temporal as the environment says, or throws one sentence that says why. */
export async function connect({
  env,
  connectTimeoutMs,
}: Pick<Terminal, 'env' | 'connectTimeoutMs'>): Promise<Connected> {
  const config = readTemporalConfig(env);
  const { namespace } = config;
  const { dataConverter, isPrivate } = readPrivacy(namespace, env);
  const connection = await connectTemporal(config, connectTimeoutMs);
  const client = new Client({ connection, namespace, dataConverter });
  const signing = signingOf(env);
  const steadfast = bareClient({ ...config, client, isPrivate, signing });
  return { steadfast, client, connection, config };
}
