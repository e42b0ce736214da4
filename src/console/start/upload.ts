import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { FileReading } from '../../client/lines/columns';
import { openLines } from '../../client/lines/linesFile';
import { type Survey, survey, surveyedLines } from '../../client/lines/survey';
import { InputError } from '../../orders/input/inputError';
import { shown } from '../../orders/input/shown';
import type { ReadLine } from '../../orders/payout';
import { Refusal } from '../refusal';

/** The largest file that a page takes, and the most lines of it. */
export const fileBytesMax = 5_000_000;
export const fileLinesMax = 20_000;

/** A file as a browser has sent it. */
type Upload = { name: string; bytes: Buffer };

/**
 * Reads the lines of a file by the reader of the command line, which reads files. So the bytes are
 * in a folder of their own meanwhile. Throws a Refusal with all that is wrong.
 */
export async function readUpload(
  { name, bytes }: Upload,
  reading: FileReading,
): Promise<{ all: ReadLine[]; surveyed: Survey }> {
  refuseTooLarge(name, bytes);
  const folder = await mkdtemp(join(tmpdir(), 'steadfast-lines-'));
  // The name decides the form, and nothing else.
  const [form = ''] = /^\.\w{1,8}$/.exec(extname(name)) ?? [];
  const path = join(folder, `lines${form}`);
  try {
    await writeFile(path, bytes, { mode: 0o600 });
    const file = openLines(path, reading);
    const surveyed = await survey(file, { way: '', most: linesOfPage });
    const all: ReadLine[] = [];
    for await (const line of surveyedLines(file, surveyed)) all.push(line);
    return { all, surveyed };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new Refusal(400, error.message.replaceAll(path, shown(name)).replace(/^FILE: /, ''));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuseTooLarge(name: string, { length }: Buffer): void {
  if (length <= fileBytesMax) return;
  const words = `${shown(name)} has ${length} bytes, and a page takes ${fileBytesMax}.`;
  throw new Refusal(413, `${words} ${wayOfLarge}`);
}

/** The way out for a file that is too large for a page. */
export const wayOfLarge =
  'Make several payouts of it, or start it on the command line: npx --no-install steadfast payout.';

/** The most lines of a page. A row with a fault counts too, since it costs as much. */
const linesOfPage = {
  rows: fileLinesMax,
  words: `a page takes ${fileLinesMax} lines. ${wayOfLarge}`,
};
