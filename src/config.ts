import { existsSync } from 'node:fs';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { blockchains } from './custody/blockchain';

/** The environment is missing something, or something in it is malformed. Names each variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const apiKeyForm = /^(TEST|LIVE)_API_KEY:[^:\s]+:[^:\s]+$/;

const custodyUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:4010/v1/w3s' })
  .refine((url) => !/^https?:\/\/[^/]*@/.test(url), {
    error: 'must not hold a user or a password: the URL is kept in histories',
  })
  // One service has one name: orders are held against it.
  .transform((url) => url.replace(/\/+$/, ''));
const apiKey = z.string().refine((key) => apiKeyForm.test(plainKey(key)), {
  error: 'must be TEST_API_KEY:<id>:<secret>, or the base64 of it',
});
const entitySecret = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 lowercase hexadecimal characters' });
const blockchain = z.enum(Object.keys(blockchains), {
  error: `must be one of ${Object.keys(blockchains).join(', ')}`,
});
const hours = z.coerce
  .number({ error: 'must be a number of hours, more than 0 and at most 8760' })
  .positive()
  .max(8_760);
const seconds = z.coerce
  .number({ error: 'must be a number of seconds, from 0 to 86400' })
  .min(0)
  .max(86_400);
const rpcUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL such as http://127.0.0.1:8545',
});
const queueName = z.string().regex(/^[\w.:-]{1,200}$/, { error: 'must be a plain name' });
const keyScope = z.string().regex(/^[\w.-]{0,100}$/, { error: 'must be a short plain name' });

const file = z.string().refine(existsSync, { error: 'is not a file that can be found' });

// What Temporal allows: it joins the two with a dot, and keeps names with "__" for itself.
const deploymentName = z.string().regex(/^(?!__)[\w-]{1,100}$/, {
  error: 'must be letters, digits, _ and -, without __ in front',
});
const buildId = z.string().regex(/^(?!__)[\w.+-]{1,100}$/, {
  error: 'must be letters, digits, _, -, + and dots, without __ in front',
});

const rate = z
  .string()
  .refine((text) => text === 'off' || (Number(text) > 0 && Number(text) <= 10_000), {
    error: 'must be a number from above 0 to 10000, or off',
  })
  .transform((text) => (text === 'off' ? undefined : Number(text)));

const workerVariables = z.object({ STEADFAST_WORKFLOW_BUNDLE: file.optional() });

// What the hosted service takes of one account.
const limitVariables = z.object({
  STEADFAST_WRITES_PER_SECOND: rate.prefault('5'),
  STEADFAST_READS_PER_SECOND: rate.prefault('20'),
});

const deploymentVariables = z.object({
  STEADFAST_DEPLOYMENT: deploymentName,
  STEADFAST_BUILD_ID: buildId,
  STEADFAST_VERSIONING: z
    .enum(['pinned', 'auto-upgrade'], { error: 'must be pinned or auto-upgrade' })
    .default('pinned'),
});

const temporalVariables = z.object({
  STEADFAST_TASK_QUEUE: queueName.default('steadfast'),
  STEADFAST_KEY_SCOPE: keyScope.default(''),
});

const custodyVariables = z.object({
  CUSTODY_BASE_URL: custodyUrl,
  CUSTODY_API_KEY: apiKey,
  CUSTODY_ENTITY_SECRET: entitySecret,
  CUSTODY_BLOCKCHAIN: blockchain.default('ARC-TESTNET'),
  CUSTODY_KEY_LIFETIME_HOURS: hours.default(24),
  CUSTODY_LOOKUP_GRACE_SECONDS: seconds.default(600),
  CHAIN_RPC_URL: rpcUrl.optional(),
  STEADFAST_LIVE: z.string().optional(),
});

export type TemporalConfig = {
  connection: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  namespace: string;
  taskQueue: string;
  keyScope: string;
};

export type CustodyConfig = {
  baseUrl: string;
  apiKey: string;
  entitySecret: string;
  blockchain: string;
  keyLifetimeMs: number;
  /** How long a write that may have been taken is looked for before it counts as unknown. */
  lookupGraceMs: number;
  /** Where receipts are read on the chain itself; without it the service's word is taken. */
  chainRpcUrl: string | undefined;
};

/** Which build of which deployment a worker is, and what becomes of the orders it has begun. */
export type DeploymentConfig = {
  name: string;
  buildId: string;
  /** Pinned: they stay with this build. Otherwise whichever build is current goes on with them. */
  isPinned: boolean;
};

/** Where Temporal is and which queue to use: what clients, the CLI and workers need. */
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

/**
 * The file with the workflows already bundled, or undefined where the worker is to bundle them
 * itself as it starts, which takes seconds.
 */
export function readWorkflowBundle(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return parse(workerVariables, env).STEADFAST_WORKFLOW_BUNDLE;
}

/** How much of the service all workers of a queue may use together; undefined is without limit. */
export type Limits = { writesPerSecond: number | undefined; readsPerSecond: number | undefined };

/** The limits that a worker asks Temporal to keep, as long as nothing else is set there. */
export function readLimits(env: NodeJS.ProcessEnv = process.env): Limits {
  const variables = parse(limitVariables, env);
  return {
    writesPerSecond: variables.STEADFAST_WRITES_PER_SECOND,
    readsPerSecond: variables.STEADFAST_READS_PER_SECOND,
  };
}

/**
 * The build that this worker is to Temporal, or undefined where nothing is said of it: then every
 * worker of the queue goes on with every order.
 */
export function readDeployment(env: NodeJS.ProcessEnv = process.env): DeploymentConfig | undefined {
  if (Object.keys(deploymentVariables.shape).every((name) => !env[name])) return undefined;
  const variables = parse(deploymentVariables, env);
  return {
    name: variables.STEADFAST_DEPLOYMENT,
    buildId: variables.STEADFAST_BUILD_ID,
    isPinned: variables.STEADFAST_VERSIONING === 'pinned',
  };
}

/** As Temporal reads its variables and its configuration file, whose faults are the caller's. */
function loadTemporalProfile(env: NodeJS.ProcessEnv): ReturnType<typeof loadClientConnectConfig> {
  const set = Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const overrideEnvVars: Record<string, string> = Object.fromEntries(set);
  try {
    return loadClientConnectConfig({ overrideEnvVars });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // After the first line comes a piece of the file, and the file may hold an API key.
    const [reason = ''] = message.split('\n');
    throw new ConfigError(
      `The TEMPORAL_* variables, or the file that TEMPORAL_CONFIG_FILE names, cannot be used: ` +
        `${reason.replace(/\.$/, '')}.`,
    );
  }
}

/** The custody service and its secrets: what only workers need. */
export function readCustodyConfig(env: NodeJS.ProcessEnv = process.env): CustodyConfig {
  const variables = parse(custodyVariables, env);
  if (plainKey(variables.CUSTODY_API_KEY).startsWith('LIVE_') && variables.STEADFAST_LIVE !== '1') {
    throw new ConfigError(
      'CUSTODY_API_KEY: is a LIVE_ key, which moves real money. Set STEADFAST_LIVE=1 if you mean it.',
    );
  }
  return {
    baseUrl: variables.CUSTODY_BASE_URL,
    apiKey: variables.CUSTODY_API_KEY,
    entitySecret: variables.CUSTODY_ENTITY_SECRET,
    blockchain: variables.CUSTODY_BLOCKCHAIN,
    keyLifetimeMs: variables.CUSTODY_KEY_LIFETIME_HOURS * 3_600_000,
    lookupGraceMs: variables.CUSTODY_LOOKUP_GRACE_SECONDS * 1_000,
    chainRpcUrl: variables.CHAIN_RPC_URL,
  };
}

/** The key in its plain form, whichever of the two forms it came in. */
function plainKey(key: string): string {
  return apiKeyForm.test(key) ? key : Buffer.from(key, 'base64').toString('utf8');
}

/** Values are not repeated in the message: some of them are secrets. */
function parse<Schema extends z.ZodType>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  // An empty variable is one that is not set, as compose files and shells leave them.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return given[name] === undefined ? `${name}: is not set.` : `${name}: ${issue.message}.`;
  });
  throw new ConfigError(faults.join(' '));
}
