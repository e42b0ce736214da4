import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type CustodyConfig, readCustodyConfig } from '../config';
import { isRate, rateMax } from '../orders/payout/rate';
import { postgresExample, shownUrl } from '../store/place';
import { ConfigError, numberWhere, parse, withSecrets } from '../variables';

const file = z.string().refine(existsSync, { error: 'is not a file that can be found' });

// Temporal joins the two names with a dot, and reserves names with "__".
const deploymentName = z.string().regex(/^(?!__)[\w-]{1,100}$/, {
  error: 'must be letters, digits, _ and -, without __ in front',
});
const buildId = z.string().regex(/^(?!__)[\w.+-]{1,100}$/, {
  error: 'must be letters, digits, _, -, + and dots, without __ in front',
});

const rate = z
  .string()
  .refine((text) => text === 'off' || isRate(Number(text)), {
    error: `must be a number from above 0 to ${rateMax}, or off`,
  })
  .transform((text) => (text === 'off' ? undefined : Number(text)));

/** The roles of a worker: run workflows, read from the service, write to it. */
export const roles = ['workflows', 'reads', 'writes'] as const;
export type Role = (typeof roles)[number];

const roleList = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((word) => word.trim()))])
  .pipe(z.array(z.enum(roles, { error: `must be a list out of ${roles.join(',')}` })));

const fileForm = /^file:(.+)$/;

/** True for a file that can be made. */
function isFile(text: string): boolean {
  const [, path] = fileForm.exec(text) ?? [];
  return path !== undefined && existsSync(dirname(path));
}

const store = z
  .string()
  .refine((text) => isFile(text) || /^folder:./.test(text) || shownUrl(text) !== undefined, {
    error: `must be file:<path> in a folder that exists, folder:<path>, or ${postgresExample}`,
  });

const ledger = z
  .string()
  .refine((text) => isFile(text) || shownUrl(text) !== undefined, {
    error: `must be file:<path> in a folder that exists, or ${postgresExample}`,
  })
  .transform((text) => text.replace(fileForm, '$1'));

// A call of the service has a deadline of 10 s.
const shutdownSeconds = numberWhere(
  (seconds) => seconds >= 1 && seconds <= 3_600,
  'must be a number of seconds, from 1 to 3600',
);

const workerVariables = z.object({
  STEADFAST_ROLES: roleList.prefault(roles.join(',')),
  STEADFAST_SHUTDOWN_SECONDS: shutdownSeconds.default(15),
  STEADFAST_WORKFLOW_BUNDLE: file.optional(),
  STEADFAST_STORE: store.optional(),
  STEADFAST_LEDGER: ledger.optional(),
  STEADFAST_LEDGER_REPLACES: z.uuid({ error: 'must be the id of a ledger' }).optional(),
  STEADFAST_POLICY_FILE: file.optional(),
  STEADFAST_ADDRESS_BOOK: file.optional(),
});

// The hosted service accepts 5 writes and 20 reads of one account in any second. At exactly 5/s, a
// small network delay can put six calls into one second. A refusal costs more than going a bit
// slower.
const limitVariables = z.object({
  STEADFAST_WRITES_PER_SECOND: rate.prefault('4.8'),
  STEADFAST_READS_PER_SECOND: rate.prefault('20'),
});

const deploymentVariables = z.object({
  STEADFAST_DEPLOYMENT: deploymentName,
  STEADFAST_BUILD_ID: buildId,
  STEADFAST_VERSIONING: z
    .enum(['pinned', 'auto-upgrade'], { error: 'must be pinned or auto-upgrade' })
    .default('pinned'),
});

/** A worker's deployment and build, and the future of the orders that the build has begun. */
export type DeploymentConfig = {
  name: string;
  buildId: string;
  /** Pinned: they stay with this build. Otherwise whichever build is current goes on with them. */
  isPinned: boolean;
};

/** Reads the settings of a worker process. Named roles win over the environment's. */
export function readWorkerConfig(
  named: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
) {
  const [given, how] = rolesGiven(named);
  const secrets = withSecrets(['STEADFAST_LEDGER', 'STEADFAST_STORE'], env);
  const variables = parse(workerVariables, { ...secrets, ...given }, how);
  return {
    roles: variables.STEADFAST_ROLES,
    /** The time that running tasks have to finish once the worker is told to end. */
    shutdownMs: variables.STEADFAST_SHUTDOWN_SECONDS * 1_000,
    /** The bundle of workflows. Undefined when the worker makes it, which takes seconds. */
    bundlePath: variables.STEADFAST_WORKFLOW_BUNDLE,
    /** The place of the archive and of the account index. A database's URL may hold a password. */
    store: variables.STEADFAST_STORE,
    /** The address book, which is read again at each seal of a payout. */
    bookPath: variables.STEADFAST_ADDRESS_BOOK,
    /** The policy over the writes of this worker. Undefined when there is none. */
    authority: authorityOf(variables),
    /** Without a policy: the ledger whose policy is given up. */
    replaces: variables.STEADFAST_LEDGER_REPLACES,
  };
}

/** Reads the roles alone. */
export function readRoles(
  named: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Role[] {
  const [given, how] = rolesGiven(named);
  return parse(workerVariables.pick({ STEADFAST_ROLES: true }), { ...env, ...given }, how)
    .STEADFAST_ROLES;
}

function rolesGiven(named: readonly string[]) {
  if (named.length === 0) return [{}, {}] as const;
  const flags = { STEADFAST_ROLES: '--role' };
  return [{ STEADFAST_ROLES: named.join(',') }, { flags }] as const;
}

/** The policy of a writer, and its ledger. */
export type AuthorityConfig = {
  policyPath: string;
  /** The path of a file, or the URL of a Postgres database, which may hold a password. */
  ledgerPlace: string;
  /** A ledger that was lost. This writer's ledger takes its place. */
  replaces: string | undefined;
  /** The address book that the checks of the policy use. */
  bookPath?: string | undefined;
};

function authorityOf(variables: z.output<typeof workerVariables>): AuthorityConfig | undefined {
  const { STEADFAST_POLICY_FILE: policyPath, STEADFAST_LEDGER: ledgerPlace } = variables;
  if (policyPath === undefined) return undefined;
  const { STEADFAST_LEDGER_REPLACES: replaces, STEADFAST_ADDRESS_BOOK: bookPath } = variables;
  if (ledgerPlace !== undefined) return { policyPath, ledgerPlace, replaces, bookPath };
  throw new ConfigError(
    'STEADFAST_LEDGER: is not set. A policy needs a file or a database that remembers what was ' +
      'paid, such as file:ledger.db.',
  );
}

/**
 * The service, for roles that call it. Its entity secret is for those that write alone, and both
 * kinds check what it says on the chain.
 */
export function readServiceConfig(
  named: readonly Role[],
  env: NodeJS.ProcessEnv = process.env,
): CustodyConfig | undefined {
  const signs = named.includes('writes');
  return signs || named.includes('reads')
    ? readCustodyConfig(env, { signs, isWorker: true })
    : undefined;
}

/** The share of the service for all workers of a queue together. Undefined is without limit. */
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
 * Reads the build of this worker. Undefined when the environment names none: then every worker of
 * the queue continues every order.
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

const ledgerVariables = z.object({
  STEADFAST_LEDGER_ID: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.uuid({ error: 'must be the id of a ledger, or several ids' }))),
});

/** Reads the ledgers whose seals count. The log of each writer names its ledger at the start. */
export function readLedgers(env: NodeJS.ProcessEnv = process.env): string[] {
  return parse(ledgerVariables, env).STEADFAST_LEDGER_ID;
}
