import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, isError } from './exit';
import type { Output } from './show/voice';

/** Prints a text. Returns false when the reader leaves early, such as "head". */
export async function printText(text: AsyncIterable<string>, stdout: Output): Promise<boolean> {
  try {
    await pipeline(Readable.from(text), stdout, { end: false });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EPIPE') return false;
    throw error;
  }
}

/** Writes under another name first, so that the file is always complete. */
export async function saveText(
  text: AsyncIterable<string>,
  path: string,
  flag: string,
): Promise<true> {
  const unfinished = `${path}.part`;
  try {
    await pipeline(Readable.from(text), createWriteStream(unfinished));
    await rename(unfinished, path);
    return true;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (codeOf(error) === undefined || !isError(error)) throw error;
    throw new InputError(`${flag}: ${path} cannot be written: ${error.message}.`);
  }
}

function codeOf(error: unknown): unknown {
  return isError(error) && 'syscall' in error && 'code' in error ? error.code : undefined;
}
