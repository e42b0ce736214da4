import type { AddressBook } from '../checks/book';
import type { LineResult } from '../orders/payout';

/** Lines with the names of an address book. A name in their file comes first: the book is of today. */
export async function* namedLines(
  lines: AsyncIterable<LineResult>,
  { nameOf }: Pick<AddressBook, 'nameOf'>,
): AsyncGenerator<LineResult, void> {
  for await (const line of lines) {
    const name = line.name ?? nameOf(line.to);
    yield name ? { ...line, name } : line;
  }
}
