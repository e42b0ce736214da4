import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { faultsFor } from './custody/networks/demands';
import { networks, usualNetwork } from './custody/networks/networks';
import { ConfigError, numberWhere, parse, withSecrets } from './variables';

const apiKeyForm = /^(TEST|LIVE)_API_KEY:[^:\s]+:[^:\s]+$/;

/** On this machine, or by a plain name, which only the network of one's own containers knows. */
const near = /^http:\/\/(127(\.\d+){3}|\[::1\]|[^.:@/[\]]+)(:\d+)?(\/|$)/;
const custodyUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:4010/v1/w3s' })
  .refine((url) => !/^https?:\/\/[^/]*@/.test(url), {
    error: 'must not hold a user or a password: the URL is kept in histories',
  })
  .refine((url) => !url.startsWith('http:') || near.test(url), {
    error: 'must begin with https://, since http:// shows the API key to every network on the way',
  })
  // One service needs one name, since orders compare it.
  .transform((url) => url.replace(/\/+$/, ''));
const apiKey = z.string().refine((key) => apiKeyForm.test(plainKey(key)), {
  error: 'must be TEST_API_KEY:<id>:<secret>, or the base64 of it',
});
const entitySecret = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lowercase hexadecimal characters' });
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lowercase hexadecimal characters, of a SHA-256' });
const blockchain = z.enum(Object.keys(networks), {
  error: `must be one of ${Object.keys(networks).join(', ')}`,
});
const hours = numberWhere(
  (hours) => hours > 0 && hours <= 8_760,
  'must be a number of hours, more than 0 and at most 8760',
);
const seconds = numberWhere(
  (seconds) => seconds >= 0 && seconds <= 86_400,
  'must be a number of seconds, from 0 to 86400',
);
/** The address of a node of the chain. */
export const rpcUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL such as http://127.0.0.1:8545',
});
/** The name of a task queue, or of a type of workflow. */
export const queueName = z.string().regex(/^[\w.:-]{1,200}$/, { error: 'must be a plain name' });
const keyScope = z.string().regex(/^[\w.-]{0,100}$/, { error: 'must be a short plain name' });

const temporalVariables = z.object({
  STEADFAST_TASK_QUEUE: queueName.default('steadfast'),
  STEADFAST_KEY_SCOPE: keyScope.default(''),
});

const custodyVariables = z.object({
  CUSTODY_BASE_URL: custodyUrl,
  CUSTODY_API_KEY: apiKey,
  CUSTODY_ENTITY_SECRET: entitySecret,
  CUSTODY_PUBLIC_KEY_SHA256: sha256.optional(),
  CUSTODY_BLOCKCHAIN: blockchain.default(usualNetwork),
  CUSTODY_KEY_LIFETIME_HOURS: hours.default(24),
  CUSTODY_LOOKUP_GRACE_SECONDS: seconds.default(600),
  CHAIN_RPC_URL: rpcUrl.optional(),
  STEADFAST_LIVE: z.string().optional(),
  STEADFAST_POLICY_FILE: z.string().optional(),
});

const readingVariables = custodyVariables.partial({ CUSTODY_ENTITY_SECRET: true });

export type TemporalConfig = {
  connection: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  namespace: string;
  taskQueue: string;
  keyScope: string;
};

/** Temporal's address, or the default if the environment gives none. */
export function temporalAddress({ connection }: Pick<TemporalConfig, 'connection'>): string {
  return connection.address ?? 'localhost:7233';
}

export type CustodyConfig = {
  baseUrl: string;
  apiKey: string;
  /** Undefined for a process that only reads. */
  entitySecret: string | undefined;
  /** Digest of the only public key that may encrypt the secret. Unset: any key of the service. */
  publicKeySha256: string | undefined;
  blockchain: string;
  keyLifetimeMs: number;
  /** Time for which a pending write is looked up before it counts as unknown. */
  lookupGraceMs: number;
  /** The chain's node for receipts. Without it the service's word counts. */
  chainRpcUrl: string | undefined;
};

/** Reads Temporal's address and the task queue, for clients, the CLI and workers. */
export function readTemporalConfig(env: NodeJS.ProcessEnv = process.env): TemporalConfig {
  const variables = parse(temporalVariables, env);
  const { connectionOptions, namespace } = loadTemporalProfile(env);
  return {
    connection: connectionOptions,
    namespace: namespace ?? 'default',
    taskQueue: variables.STEADFAST_TASK_QUEUE,
    keyScope: variables.STEADFAST_KEY_SCOPE,
  };
}

/** Loads Temporal's variables and its configuration file. Faults in them are the caller's. */
function loadTemporalProfile(env: NodeJS.ProcessEnv): ReturnType<typeof loadClientConnectConfig> {
  const set = Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const overrideEnvVars: Record<string, string> = Object.fromEntries(set);
  try {
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The first line is the reason. The rest quotes the file, which may hold an API key.
    const [reason = ''] = message.split('\n');
    throw new ConfigError(
      `The TEMPORAL_* variables, or the file that TEMPORAL_CONFIG_FILE names, cannot be used: ` +
        `${reason.replace(/\.$/, '')}.`,
    );
  }
}

/** Reads the custody service's address and secrets. Only writes are signed. */
export function readCustodyConfig(
  env: NodeJS.ProcessEnv = process.env,
  { signs = true, isWorker = signs }: { signs?: boolean; isWorker?: boolean } = {},
): CustodyConfig {
  const given = withSecrets(signs ? secretNames : ['CUSTODY_API_KEY'], env);
  const key = given.CUSTODY_API_KEY;
  const further = faultsFor(networkNamed(given), {
    ...(key !== undefined && apiKeyForm.test(plainKey(key)) && { isLive: isLiveKey(key) }),
    signs,
    isWorker,
    variables: given,
  });
  const variables = parse(signs ? custodyVariables : readingVariables, given, { further });
  return {
    baseUrl: variables.CUSTODY_BASE_URL,
    apiKey: variables.CUSTODY_API_KEY,
    entitySecret: signs ? variables.CUSTODY_ENTITY_SECRET : undefined,
    publicKeySha256: variables.CUSTODY_PUBLIC_KEY_SHA256,
    blockchain: variables.CUSTODY_BLOCKCHAIN,
    keyLifetimeMs: variables.CUSTODY_KEY_LIFETIME_HOURS * 3_600_000,
    lookupGraceMs: variables.CUSTODY_LOOKUP_GRACE_SECONDS * 1_000,
    chainRpcUrl: variables.CHAIN_RPC_URL,
  };
}

const secretNames = ['CUSTODY_API_KEY', 'CUSTODY_ENTITY_SECRET'];

/** The network that an environment names, or the usual one. */
export function networkNamed(env: NodeJS.ProcessEnv = process.env): string {
  return env.CUSTODY_BLOCKCHAIN || usualNetwork;
}

/** True for a key of main networks. */
function isLiveKey(key: string): boolean {
  return plainKey(key).startsWith('LIVE_');
}

/** The key in its plain form. It may be given as base64. */
function plainKey(key: string): string {
  return apiKeyForm.test(key) ? key : Buffer.from(key, 'base64').toString('utf8');
}
