import { generateKeyPair, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
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

const rsaBits = 4_096;

/**
 * The sandbox's secrets: those given, else those of the snapshot that it begins from, else those
 * kept in its folder, else new ones. Kept ones are readable by their owner alone.
 */
export async function readSecrets(config: SandboxConfig, begun?: Secrets): Promise<Secrets> {
  const kept = begun ?? readKept(config.dataDir);
  const secrets = {
    apiKey: config.apiKey ?? kept.apiKey ?? `TEST_API_KEY:${hex(16)}:${hex(16)}`,
    entitySecret: config.entitySecret ?? kept.entitySecret ?? hex(32),
    seed: kept.seed ?? hex(64),
    privateKey: kept.privateKey ?? (await rsaKey(config.cacheFolder)),
    notificationKey: kept.notificationKey ?? newNotificationKey(),
  };
  if (config.dataDir !== undefined) keep(config.dataDir, 'secrets.json', JSON.stringify(secrets));
  return secrets;
}

function readKept(dataDir: string | undefined): Partial<Secrets> {
  if (dataDir === undefined) return {};
  try {
    return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  } catch {
    return {};
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
