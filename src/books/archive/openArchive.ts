import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFile } from '../../store/openFile';
import { openPostgres } from '../../store/openPostgres';
import { isPostgres, postgresExample, shownUrl } from '../../store/place';
import type { Contents } from '../../store/work';
import { type Archive, type ArchiveEntry, ArchiveError, changedSince } from './archive';
import { countedDays, type DayFile, dayFilesOf, readDays, writeDay } from './dayFiles';
import { headOf, sqlArchive } from './sqlArchive';
import { archiveContents } from './tables';

/** The forms of STEADFAST_STORE, as errors tell them. */
export const storeForms = `file:<path>, folder:<path> or ${postgresExample}`;

/**
 * Opens the archive of a store, and makes it where there is none. The archive of `file:<path>` is a
 * file beside it. An archive of `folder:<path>` also has a file of JSON Lines for each day. Throws
 * an ArchiveError if it cannot be used.
 */
export function openArchive(store: string): Promise<Archive> {
  return opened(store, archiveContents);
}

/**
 * Opens the archive of a store to read it. Throws an ArchiveError where nobody has made one yet. In
 * a hurry, a file is not searched for damage, which takes minutes for many receipts.
 */
export function openExistingArchive(store: string, { isHurried = false } = {}): Promise<Archive> {
  const place = isPostgres(store) ? shownUrl(store) : store;
  const absent =
    `STEADFAST_STORE: there is no archive at ${place}. ` +
    'Name the store of the workers, which make it when they start.';
  return opened(store, { ...archiveContents, absent, isHurried });
}

async function opened(store: string, own: Contents): Promise<Archive> {
  if (isPostgres(store)) return inPostgres(store, own);
  const [, form, path = ''] = /^(file|folder):(.+)$/.exec(store) ?? [];
  if (form === 'file') return sqlArchive(openFile(`${path}.archive`, own, headOf).database);
  if (form === 'folder') return inFolder(path, own);
  const words = `"${store}" has no form that is known. Write ${storeForms}.`;
  throw new ArchiveError(`STEADFAST_STORE: ${words}`);
}

async function inPostgres(url: string, own: Contents): Promise<Archive> {
  if (shownUrl(url) === undefined) {
    throw new ArchiveError(`The URL of the archive cannot be read. Write ${postgresExample}.`);
  }
  return sqlArchive((await openPostgres(url, own, headOf)).database);
}

/** The database knows what was written to the files, so that nothing is written twice. */
function inFolder(folder: string, own: Contents): Archive {
  if (own.absent === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'archive.db');
  const days = existsSync(folder) ? dayFilesOf(folder) : [];
  if (!existsSync(path) && days.length > 0) throw withoutDatabase(folder);
  const { database, opened: head } = openFile(path, own, headOf);
  if (head === undefined && days.length > 0) {
    void database.close();
    throw withoutDatabase(folder);
  }
  const archive = sqlArchive(database, (entries) => writeDay(folder, entries, new Date()));
  const counted = () => database.read(countedDays(folder));
  return { ...archive, entries: () => agreeing(counted, archive.entries()) };
}

function withoutDatabase(folder: string): ArchiveError {
  return new ArchiveError(
    `The folder ${folder} has files of days, but its archive.db is empty. Restore archive.db ` +
      'from a backup, or move all of them away.',
  );
}

/**
 * The lines of day files. Each must be the row of the database, which receipts are read from. Files
 * are read as far as they counted at the beginning, so that a worker may add rows meanwhile.
 */
async function* agreeing(
  counted: () => Promise<DayFile[]>,
  rows: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  const files = await counted();
  const kept = rows[Symbol.asyncIterator]();
  for await (const line of readDays(files)) {
    yield line;
    const { value } = await kept.next();
    if (JSON.stringify(value) === JSON.stringify(line)) continue;
    throw changedSince(`Row ${line.at} of archive.db is not the one in its day file`, 'archive.db');
  }
}
