import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type CustodyConfig, parse, readCustodyConfig } from './config';
import { isRate, rateMax } from './orders/rate';

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
  .refine((text) => text === 'off' || isRate(Number(text)), {
    error: `must be a number from above 0 to ${rateMax}, or off`,
  })
  .transform((text) => (text === 'off' ? undefined : Number(text)));

/** What a worker does: decides and waits, reads from the service, writes to it. */
export const roles = ['workflows', 'reads', 'writes'] as const;
export type Role = (typeof roles)[number];

const roleList = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((word) => word.trim()))])
  .pipe(z.array(z.enum(roles, { error: `must be a list out of ${roles.join(',')}` })));

// A call of the service has a deadline of 10 s.
const shutdownSeconds = z.coerce
  .number({ error: 'must be a number of seconds, from 1 to 3600' })
  .min(1)
  .max(3_600);

const workerVariables = z.object({
  STEADFAST_ROLES: roleList.prefault(roles.join(',')),
  STEADFAST_SHUTDOWN_SECONDS: shutdownSeconds.default(15),
  STEADFAST_WORKFLOW_BUNDLE: file.optional(),
});

// What the hosted service takes of one account: 5 writes in any second, and 20 reads. At exactly 5
// whatever delays one call lets one too many into a second; that costs more than going a bit slower.
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

/** Which build of which deployment a worker is, and what becomes of the orders it has begun. */
export type DeploymentConfig = {
  name: string;
  buildId: string;
  /** Pinned: they stay with this build. Otherwise whichever build is current goes on with them. */
  isPinned: boolean;
};

/** What a worker process does, how long it may take to end, and where its workflows are. */
export type WorkerConfig = {
  roles: readonly Role[];
  /** How long what is under way may go on once it is told to end. */
  shutdownMs: number;
  /** The workflows already bundled; undefined where the worker bundles them, which takes seconds. */
  bundlePath: string | undefined;
};

/** What a worker process is to be. Roles that somebody has named win over the environment's. */
export function readWorkerConfig(
  named: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): WorkerConfig {
  const given = named.length === 0 ? {} : { STEADFAST_ROLES: named.join(',') };
  const variables = parse(workerVariables, { ...env, ...given });
  return {
    roles: variables.STEADFAST_ROLES,
    shutdownMs: variables.STEADFAST_SHUTDOWN_SECONDS * 1_000,
    bundlePath: variables.STEADFAST_WORKFLOW_BUNDLE,
  };
}

/** The service, for roles that call it: its entity secret is for those that write alone. */
export function readServiceConfig(
  named: readonly Role[],
  env: NodeJS.ProcessEnv = process.env,
): CustodyConfig | undefined {
  const signs = named.includes('writes');
  return signs || named.includes('reads') ? readCustodyConfig(env, { signs }) : undefined;
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
