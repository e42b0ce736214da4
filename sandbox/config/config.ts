import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readTraces, type TracesConfig } from '../../src/telemetry/config';

/** The variables of the sandbox: see docs/reference/configuration.md. */
const variables = z.object({
  XDG_CACHE_HOME: z.string().default(join(homedir(), '.cache')),
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  SANDBOX_PORT: z.coerce
    .number({ error: 'must be a port number' })
    .int()
    .min(0)
    .max(65_535)
    .default(4010),
  SANDBOX_DATA_DIR: z.string().optional(),
  SANDBOX_SNAPSHOT: z.string().optional(),
  SANDBOX_API_KEY: z
    .string()
    .regex(/^TEST_API_KEY:[^:\s]+:[^:\s]+$/, { error: 'must be TEST_API_KEY:<id>:<secret>' })
    .optional(),
  SANDBOX_ENTITY_SECRET: z
    .string()
    .regex(/^([0-9a-f]{64}|unregistered)$/, {
      error: 'must be 64 lowercase hexadecimal characters, or unregistered',
    })
    .optional(),
  SANDBOX_STATES: z
    .enum(['interface', 'hosted'], { error: 'must be interface or hosted' })
    .default('interface'),
  SANDBOX_SETTLE_MS: z.coerce
    .number({ error: 'must be a number of milliseconds' })
    .int()
    .min(0)
    .max(86_400_000)
    .default(2_000),
  SANDBOX_RATE_LIMIT: z
    .enum(['hosted', 'off'], { error: 'must be hosted or off' })
    .default('hosted'),
});

export type SandboxConfig = {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Without one, everything is in memory and gone at the end. */
  dataDir: string | undefined;
  /** The file that a sandbox without records begins from. */
  snapshot?: string | undefined;
  apiKey: string | undefined;
  /** With `unregistered`, a client has to register one first. */
  entitySecret: string | undefined;
  states: 'interface' | 'hosted';
  /** From acceptance to COMPLETE. */
  settleMs: number;
  /** `hosted` limits calls as the hosted service does. */
  rateLimit: 'hosted' | 'off';
  /** The folder of compiled contracts and of a key, shared by all sandboxes of this user. */
  cacheFolder: string;
  /** The receiver of spans. Without one, none are sent. */
  traces?: TracesConfig | undefined;
};

/** The flags that replace variables. Secrets are never flags. */
export type Flags = {
  host?: string;
  port?: string;
  dataDir?: string;
  snapshot?: string;
  states?: string;
  settleMs?: string;
  rateLimit?: string;
};

/**
 * Reads the sandbox's own variables, and flags in their place. Throws an Error that names each
 * faulty one.
 */
export function readSandboxConfig(
  env: NodeJS.ProcessEnv = process.env,
  flags: Flags = {},
): SandboxConfig {
  const flagged = {
    SANDBOX_HOST: flags.host,
    SANDBOX_PORT: flags.port,
    SANDBOX_DATA_DIR: flags.dataDir,
    SANDBOX_SNAPSHOT: flags.snapshot,
    SANDBOX_STATES: flags.states,
    SANDBOX_SETTLE_MS: flags.settleMs,
    SANDBOX_RATE_LIMIT: flags.rateLimit,
  };
  const given = { ...withoutEmpty(env), ...withoutEmpty(flagged) };
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${String(issue.path[0])}: ${issue.message}.`,
    );
    throw new SandboxConfigError(faults.join(' '));
  }
  const { data } = parsed;
  return {
    host: data.SANDBOX_HOST,
    port: data.SANDBOX_PORT,
    dataDir: data.SANDBOX_DATA_DIR,
    snapshot: data.SANDBOX_SNAPSHOT,
    apiKey: data.SANDBOX_API_KEY,
    entitySecret: data.SANDBOX_ENTITY_SECRET,
    states: data.SANDBOX_STATES,
    settleMs: data.SANDBOX_SETTLE_MS,
    rateLimit: data.SANDBOX_RATE_LIMIT,
    cacheFolder: join(data.XDG_CACHE_HOME, 'steadfast'),
    traces: readTraces('steadfast-sandbox', env),
  };
}

function withoutEmpty(values: Record<string, string | undefined>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

export class SandboxConfigError extends Error {
  override readonly name = 'ConfigError';
}
