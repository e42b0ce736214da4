import { constants, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, isError } from './exit';
import type { OutputStream } from './show/voice';

/** Prints a text. Returns false when the reader leaves early, such as "head". */
export async function printText(
  text: AsyncIterable<string>,
  stdout: OutputStream,
): Promise<boolean> {
  try {
    await pipeline(Readable.from(text), stdout, { end: false });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EPIPE') return false;
    throw error;
  }
}

/** Refuses a path that no file can be written to, before anything is read for it. */
export async function checkPath(path: string, flag: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) {
    throw new InputError(`${flag}: ${path} is a folder. Name a file.`);
  }
  await access(dirname(path), constants.W_OK).catch((error) => {
    throw unwritable(path, flag, error);
  });
}

/** Refuses a path that can be no folder for files. It need not be there yet. */
export async function checkFolder(path: string, flag: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined && !there.isDirectory()) {
    throw new InputError(`${flag}: ${path} is a file. Name a folder.`);
  }
  await access(there === undefined ? dirname(path) : path, constants.W_OK).catch((error) => {
    throw unwritable(path, flag, error);
  });
}

/** Writes under another name first, so that the file is always complete. */
export async function saveText(
  text: AsyncIterable<string> | Iterable<string>,
  path: string,
  flag: string,
): Promise<true> {
  const unfinished = `${path}.part`;
  await checkPath(path, flag);
  try {
    await pipeline(Readable.from(text), createWriteStream(unfinished));
    await rename(unfinished, path);
    return true;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw unwritable(path, flag, error);
  }
}

function unwritable(path: string, flag: string, error: unknown): unknown {
  if (codeOf(error) === undefined || !isError(error)) return error;
  return new InputError(`${flag}: ${path} cannot be written: ${error.message}.`);
}

function codeOf(error: unknown): unknown {
  return isError(error) && 'syscall' in error && 'code' in error ? error.code : undefined;
}
