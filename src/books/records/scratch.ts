import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

/** A database for one question. Its file is gone after it. */
type Scratch = { database: Database.Database; close(): void };

/** So much of the file is kept in memory. */
const cacheKib = 16_384;

/** Opens a database in a file of its own, so that a million rows need no memory. */
export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'steadfast-books-'));
  const database = new Database(join(folder, 'books.db'));
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA temp_store = FILE; PRAGMA cache_size = -${cacheKib};`);
  return {
    database,
    close: () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
