import { generateKeyPair, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxConfig } from './config';

export type Secrets = {
  /** TEST_API_KEY:<id>:<secret>. */
  apiKey: string;
  /** 64 hex characters, or `unregistered`: it is for a client to choose. */
  entitySecret: string;
  /** PEM of the RSA key that entity secrets are encrypted for. */
  privateKey: string;
  /** Seed of every key on the chain, as hex. */
  seed: string;
};

/** In the place of an entity secret: there is none until one is registered. */
export const unregistered = 'unregistered';

const rsaBits = 4_096;

/**
 * The sandbox's secrets: those given, else those kept in its folder, else new ones. Kept ones are
 * readable by their owner alone.
 */
export async function readSecrets(config: SandboxConfig): Promise<Secrets> {
  const kept = config.dataDir === undefined ? {} : readKept(join(config.dataDir, 'secrets.json'));
  const secrets = {
    apiKey: config.apiKey ?? kept.apiKey ?? `TEST_API_KEY:${hex(16)}:${hex(16)}`,
    entitySecret: config.entitySecret ?? kept.entitySecret ?? hex(32),
    seed: kept.seed ?? hex(64),
    privateKey: kept.privateKey ?? (await rsaKey(config.cacheFolder)),
  };
  if (config.dataDir !== undefined) keep(config.dataDir, 'secrets.json', JSON.stringify(secrets));
  return secrets;
}

function readKept(path: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * A key of 4,096 bits takes seconds to find, and this one guards nothing but a sandbox, so one is
 * kept for all sandboxes of this user.
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

function keep(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  const part = join(folder, `${name}.${process.pid}.part`);
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, join(folder, name));
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
