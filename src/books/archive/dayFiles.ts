import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Row, Work } from '../../store/work';
import { type ArchiveEntry, ArchiveError } from './archive';
import { archiveSql } from './tables';

const dayForm = /^\d{4}-\d\d-\d\d\.jsonl$/;

/**
 * Writes entries to the file of the day, before the transaction that counts them is committed. A
 * crash in between leaves lines that nothing counts. The next write sets them aside.
 */
export function* writeDay(folder: string, entries: readonly ArchiveEntry[], now: Date): Work<void> {
  const last = yield* archiveSql.lastDay.get();
  if (last !== undefined) setAside(folder, last, now);
  const today = now.toISOString().slice(0, 10);
  // Entries stay in order, even if the clock runs back.
  const isLast = last !== undefined && String(last.day) >= today;
  const { day, bytes } = isLast ? last : { day: today, bytes: 0 };
  const lines = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const end = Number(bytes) + lines.length;
  const file = openSync(join(folder, `${day}.jsonl`), bytes === 0 ? 'w' : 'r+', 0o600);
  try {
    ftruncateSync(file, Number(bytes));
    writeSync(file, lines, 0, lines.length, Number(bytes));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  yield* archiveSql.setDay.run(String(day), end);
}

/**
 * Moves all that the database does not count out of the day files, to files beside them. A crash
 * has left it, or the database is older than the files. Then nobody else has these receipts.
 */
function setAside(folder: string, { day, bytes }: Row, now: Date): void {
  const lastName = `${day}.jsonl`;
  for (const name of dayFilesOf(folder).filter((one) => one >= lastName)) {
    const path = join(folder, name);
    const counted = name === lastName ? Number(bytes) : 0;
    if (statSync(path).size <= counted) continue;
    const rest = readFileSync(path).subarray(counted);
    const aside = `${path}.cut-${now.toISOString().replaceAll(':', '')}`;
    writeFileSync(aside, rest, { mode: 0o600, flush: true });
    truncateSync(path, counted);
  }
}

/** The names of the day files of a folder, the oldest first. */
export function dayFilesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => dayForm.test(name))
    .sort();
}

/** The day files of a folder, each as far as its database counts it now. */
export function* countedDays(folder: string): Work<DayFile[]> {
  const rows = yield* archiveSql.days.all();
  return rows.map(({ day, bytes }) => ({
    path: join(folder, `${day}.jsonl`),
    bytes: Number(bytes),
  }));
}

/** A day file, and how many bytes of it are read. Without a number, all of them. */
export type DayFile = { path: string; bytes?: number };

/** Reads the entries of day files, line by line. */
export async function* readDays(files: readonly DayFile[]): AsyncGenerator<ArchiveEntry> {
  for (const { path, bytes = Number.POSITIVE_INFINITY } of files) {
    if (!existsSync(path)) throw new ArchiveError(`${path} is not there. Restore the file.`);
    let number = 0;
    for await (const line of createInterface({
      input: createReadStream(path, { end: bytes - 1 }),
    })) {
      number += 1;
      if (line !== '') yield entryIn(line, `${path}, line ${number}`);
    }
  }
}

function entryIn(line: string, where: string): ArchiveEntry {
  const entry = parsed(line, where);
  if (entry.at !== undefined) return entry;
  throw new ArchiveError(
    `${where} is no row of an archive. Receipts by themselves are checked with: ` +
      'npx --no-install steadfast receipt verify',
  );
}

function parsed(line: string, where: string): ArchiveEntry {
  try {
    return JSON.parse(line);
  } catch {
    throw new ArchiveError(`${where} is not JSON: it was cut off or changed. Restore the file.`);
  }
}
