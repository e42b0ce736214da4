import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readTraces } from '../../src/telemetry/config';
import { numberWhere, parse, port } from '../../src/variables';

const settleMs = numberWhere(
  (ms) => Number.isInteger(ms) && ms >= 0 && ms <= 86_400_000,
  'must be a whole number of milliseconds, from 0 to 86400000',
);

/** The variables of the sandbox: see docs/reference/configuration.md. */
const variables = z.object({
  XDG_CACHE_HOME: z.string().default(join(homedir(), '.cache')),
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  SANDBOX_PORT: port.default(4010),
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
  SANDBOX_SETTLE_MS: settleMs.default(2_000),
  SANDBOX_RATE_LIMIT: z
    .enum(['hosted', 'off'], { error: 'must be hosted or off' })
    .default('hosted'),
  SANDBOX_TLS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
});

/** The flags that replace variables. Secrets are never flags. */
const flagOf = {
  SANDBOX_HOST: 'host',
  SANDBOX_PORT: 'port',
  SANDBOX_DATA_DIR: 'dataDir',
  SANDBOX_SNAPSHOT: 'snapshot',
  SANDBOX_STATES: 'states',
  SANDBOX_SETTLE_MS: 'settleMs',
  SANDBOX_RATE_LIMIT: 'rateLimit',
  SANDBOX_TLS: 'tls',
} as const;
export type SandboxFlags = { [Flag in (typeof flagOf)[keyof typeof flagOf]]?: string | true };

export type SandboxConfig = ReturnType<typeof readSandboxConfig>;

/**
 * Reads the sandbox's own variables, and flags in their place. Throws a ConfigError that names each
 * faulty one.
 */
export function readSandboxConfig(env: NodeJS.ProcessEnv = process.env, flags: SandboxFlags = {}) {
  const flagged = Object.entries(flagOf).flatMap(([variable, flag]) =>
    flags[flag] ? [{ variable, flag, value: flags[flag] === true ? 'on' : flags[flag] }] : [],
  );
  const given = Object.fromEntries(flagged.map(({ variable, value }) => [variable, value]));
  const names = flagged.map(({ variable, flag }) => [variable, `--${inKebabCase(flag)}`]);
  const data = parse(variables, { ...env, ...given }, { flags: Object.fromEntries(names) });
  return {
    host: data.SANDBOX_HOST,
    /** 0 takes any free port. */
    port: data.SANDBOX_PORT,
    /** Without one, everything is in memory and gone at the end. */
    dataDir: data.SANDBOX_DATA_DIR,
    /** The file that a sandbox without records begins from. */
    snapshot: data.SANDBOX_SNAPSHOT,
    apiKey: data.SANDBOX_API_KEY,
    /** A client has to register one first if it is `unregistered`. */
    entitySecret: data.SANDBOX_ENTITY_SECRET,
    states: data.SANDBOX_STATES,
    /** From acceptance to COMPLETE. */
    settleMs: data.SANDBOX_SETTLE_MS,
    /** `hosted` limits calls as the hosted service does. */
    rateLimit: data.SANDBOX_RATE_LIMIT,
    /** `on` serves https, with a certificate of its own. */
    tls: data.SANDBOX_TLS,
    /** The folder of compiled contracts and of a key, shared by all sandboxes of this user. */
    cacheFolder: join(data.XDG_CACHE_HOME, 'steadfast'),
    /** The receiver of spans. Without one, none are sent. */
    traces: readTraces('steadfast-sandbox', env),
  };
}

function inKebabCase(flag: string): string {
  return flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
