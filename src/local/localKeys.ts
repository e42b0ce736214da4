import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The secrets that a local sandbox and its worker share. */
export type LocalKeys = { apiKey: string; entitySecret: string };

/**
 * Reads the keys in a file, or makes new ones and keeps them there. Without a file, makes new ones.
 */
export function localKeys(file?: string): LocalKeys {
  if (file !== undefined && existsSync(file)) return readKeys(file);
  const keys = {
    apiKey: `TEST_API_KEY:${randomHex(16)}:${randomHex(16)}`,
    entitySecret: randomHex(32),
  };
  if (file !== undefined) writeKeys(file, keys);
  return keys;
}

function readKeys(file: string): LocalKeys {
  const kept: Partial<LocalKeys> = JSON.parse(readFileSync(file, 'utf8'));
  const { apiKey, entitySecret } = kept;
  if (apiKey === undefined || entitySecret === undefined) {
    throw new Error(`${file} does not hold the keys of a local stack. Remove it to get new ones.`);
  }
  return { apiKey, entitySecret };
}

function writeKeys(file: string, keys: LocalKeys): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
