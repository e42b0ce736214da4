import { generateKeyPair, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { isRecord } from '../../src/custody/isRecord';
import { ConfigError } from '../../src/variables';
import type { SandboxConfig } from './config';

export const secretsSchema = z.object({
  /** TEST_API_KEY:<id>:<secret>. */
  apiKey: z.string(),
  /** 64 hex characters, or `unregistered`: it is for a client to choose. */
  entitySecret: z.string(),
  /** PEM of the RSA key that entity secrets are encrypted for. */
  privateKey: z.string(),
  /** Seed of every key on the chain, as hex. */
  seed: z.string(),
  /** The key that signs notices to webhooks: PEM of a key on P-256, and its date. */
  notificationKey: z.object({ privateKey: z.string(), createDate: z.string() }),
});

export type Secrets = z.output<typeof secretsSchema>;

/** In the place of an entity secret: there is none until one is registered. */
export const unregistered = 'unregistered';

const fileName = 'secrets.json';
const rsaBits = 4_096;

/**
 * The sandbox's secrets: those given, else those kept, else new ones. In its folder they are
 * readable by their owner alone.
 */
export async function readSecrets(
  config: SandboxConfig,
  kept: Partial<Secrets> = {},
): Promise<Secrets> {
  const secrets = {
    apiKey: config.apiKey ?? kept.apiKey ?? `TEST_API_KEY:${hex(16)}:${hex(16)}`,
    entitySecret: config.entitySecret ?? kept.entitySecret ?? hex(32),
    seed: kept.seed ?? hex(64),
    privateKey: kept.privateKey ?? (await rsaKey(config.cacheFolder)),
    notificationKey: kept.notificationKey ?? newNotificationKey(),
  };
  if (config.dataDir !== undefined) keep(config.dataDir, fileName, JSON.stringify(secrets));
  return secrets;
}

/**
 * The secrets in a folder. There may be none only while nothing is recorded: the keys of all
 * wallets follow from the seed, so another seed would lose them.
 */
export function keptSecrets(
  dataDir: string | undefined,
  { isNew }: { isNew: boolean },
): Partial<Secrets> {
  if (dataDir === undefined) return {};
  const file = join(dataDir, fileName);
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const code = isRecord(error) ? error.code : undefined;
    if (code === 'ENOENT' && isNew) return {};
    // The parser's own message would show a part of the file.
    throw new ConfigError(
      `SANDBOX_DATA_DIR: the secrets in ${file} cannot be read (${code ?? 'not whole'}). ` +
        'Restore that file, or name another folder.',
    );
  }
}

/**
 * A key of 4,096 bits takes seconds to find, and this one protects only a sandbox. So one key
 * serves all sandboxes of this user.
 */
async function rsaKey(folder: string): Promise<string> {
  try {
    return readFileSync(join(folder, 'sandbox-key.pem'), 'utf8');
  } catch {
    const { privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: rsaBits,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    keep(folder, 'sandbox-key.pem', privateKey);
    return privateKey;
  }
}

function newNotificationKey(): Secrets['notificationKey'] {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, createDate: new Date().toISOString() };
}

function keep(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  const part = join(folder, `${name}.${process.pid}.part`);
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, join(folder, name));
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
