import { type AddressBook, emptyBook, withIndex } from '../../checks/book';
import { BookError, readBook } from '../../checks/readBook';
import { readWhenChanged } from '../file/readWhenChanged';

/**
 * The address book of a process, read once more whenever its file has changed. A book that cannot
 * be read is returned as its fault. Without a path, the book is empty.
 */
export function ownBook(
  path: string | undefined,
  blockchain: string,
): () => AddressBook | BookError {
  if (path === undefined) return () => emptyBook;
  const now = readWhenChanged(path, () => withIndex(readBook(path, blockchain)));
  return () => {
    try {
      return now();
    } catch (error) {
      if (error instanceof BookError) return error;
      throw error;
    }
  };
}
