import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CustodyConfig } from '../../config';
import type { CustodyApi } from '../../custody/endpoints';
import { ConfigError } from '../../variables';
import { type AccountIndex, createAccountIndex } from './accountIndex';
import { openIndexFile } from './store';

/**
 * The index of the account, in the store's file or folder. With a database as the store, it is in
 * memory.
 */
export function openIndex(
  custody: CustodyApi,
  { baseUrl, lookupGraceMs: graceMs }: CustodyConfig,
  place: string | undefined,
): AccountIndex {
  const path = pathOf(place);
  try {
    const store = path === undefined ? undefined : { database: openIndexFile(path), baseUrl };
    return createAccountIndex({ custody, graceMs, store });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`STEADFAST_STORE: ${path} cannot be opened: ${reason}.`);
  }
}

/** The file of the index in a store: the store itself, or a file of its folder. */
function pathOf(place = ''): string | undefined {
  const [, form, path = ''] = /^(file|folder):(.+)$/.exec(place) ?? [];
  if (form === undefined || form === 'file') return path || undefined;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return join(path, 'index.db');
}
