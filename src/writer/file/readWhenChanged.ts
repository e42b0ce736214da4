import { statSync } from 'node:fs';

/** Returns what a file says now. It is read again only once it has changed, or could not be read. */
export function readWhenChanged<T>(path: string, read: () => T): () => T {
  let known: { stamp: string; said: T } | undefined;
  return () => {
    const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const stamp = [mtimeMs, size, ino].join(' ');
    if (known?.stamp === stamp) return known.said;
    known = undefined;
    known = { stamp, said: read() };
    return known.said;
  };
}
