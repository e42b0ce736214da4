import {
  closeSync,
  createReadStream,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Work } from '../store/work';
import { ArchiveError, type Entry } from './archive';
import { sql } from './tables';

const dayForm = /^\d{4}-\d\d-\d\d\.jsonl$/;

/**
 * Writes entries to the file of the day, before the transaction that counts them is committed. A
 * crash in between leaves lines that nothing counts. The next write cuts them off.
 */
export function* writeDay(folder: string, entries: readonly Entry[], now: Date): Work<void> {
  const last = yield* sql.lastDay.get();
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
  yield* sql.setDay.run(String(day), end);
}

/** The names of the day files of a folder, the oldest first. */
export function dayFilesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => dayForm.test(name))
    .sort();
}

/** Reads the entries of day files, line by line. */
export async function* readDays(paths: readonly string[]): AsyncGenerator<Entry> {
  for (const path of paths) {
    let number = 0;
    for await (const line of createInterface({ input: createReadStream(path) })) {
      number += 1;
      if (line !== '') yield entryIn(line, `${path}, line ${number}`);
    }
  }
}

function entryIn(line: string, where: string): Entry {
  try {
    return JSON.parse(line);
  } catch {
    throw new ArchiveError(`${where} is no JSON: it was cut off or changed. Restore the file.`);
  }
}
