import { statSync } from 'node:fs';
import { type AddressBook, emptyBook, withIndex } from '../../checks/book';
import { BookError, readBook } from '../../checks/readBook';

/**
 * The address book of a process, read once more whenever its file has changed. A book that cannot
 * be read is returned as its fault. Without a path, the book is empty.
 */
export function ownBook(
  path: string | undefined,
  blockchain: string,
): () => AddressBook | BookError {
  let known: { place: string; book: AddressBook } | undefined;
  return () => {
    if (path === undefined) return emptyBook;
    try {
      const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
      const place = [mtimeMs, size, ino].join(' ');
      if (known?.place !== place) known = { place, book: withIndex(readBook(path, blockchain)) };
      return known.book;
    } catch (error) {
      if (error instanceof BookError) return error;
      throw error;
    }
  };
}
