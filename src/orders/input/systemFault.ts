import { types } from 'node:util';

/** Faults of the operating system, by its codes. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
};

/**
 * The fault of a file or a port in words, without a call of the operating system. Returns undefined
 * for any other error.
 */
export function systemFault(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  if ('syscall' in error && error.syscall === 'listen') return portFault(error);
  return 'path' in error ? words[String(error.code)] : undefined;
}

function portFault(error: { code?: unknown; address?: unknown; port?: unknown }) {
  const { code, address = 'this machine', port } = error;
  const place = `port ${port} of ${address}`;
  if (code === 'EADDRINUSE') {
    return `${place} is used by another program. Stop that one, or choose another port.`;
  }
  if (code === 'EACCES') return `${place} is not open to this user. Choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine.`;
  return undefined;
}

/** True for errors, also those of Node.js itself. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** The message of an error, or the text of any other value. */
export function messageOf(error: unknown): string {
  return systemFault(error) ?? (isError(error) ? error.message : String(error));
}
