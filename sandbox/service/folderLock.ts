import { join } from 'node:path';
import { HeldError, lockFile } from '../../src/local/lockFile';
import { ConfigError } from '../../src/variables';

/** Takes a folder for this sandbox alone, and returns what gives it back. */
export function lockFolder(dataDir: string): () => void {
  try {
    return lockFile(join(dataDir, 'sandbox.lock'));
  } catch (error) {
    throw new ConfigError(`SANDBOX_DATA_DIR: ${whyNot(dataDir, error)}`);
  }
}

function whyNot(dataDir: string, error: unknown): string {
  if (error instanceof HeldError) {
    const ways = 'Stop that one, or give this one a folder of its own.';
    return `another sandbox is running in ${dataDir}. ${ways}`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `the folder ${dataDir} cannot be written to (${reason}).`;
}
