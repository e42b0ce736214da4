import type { DataConverter } from '@temporalio/common';
import { readCodecKeys, readStrictness } from './config';
import { createPayloadCodec } from './payloadCodec';

/** The form in which payloads go to Temporal. */
export type Privacy = {
  /** For every client and worker of the namespace. */
  dataConverter: DataConverter;
  isPrivate: boolean;
  /** The key that encrypts, and those that only decrypt. */
  keyIds: readonly string[];
};

/**
 * Reads the settings of private payloads, for a client or worker of a namespace. Throws a
 * ConfigError that names the variable, and never holds a key.
 */
export function readPrivacy(namespace: string, env?: NodeJS.ProcessEnv): Privacy {
  const keys = readCodecKeys(env);
  const isPrivate = keys.length > 0;
  const isStrict = readStrictness(keys, env);
  return {
    dataConverter: {
      payloadCodecs: [createPayloadCodec(keys, namespace, { isStrict })],
      ...(isPrivate ? { failureConverterPath: require.resolve('./failureConverter') } : {}),
    },
    isPrivate,
    keyIds: keys.map(({ id }) => id),
  };
}
