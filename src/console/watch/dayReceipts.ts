import type { Archive } from '../../books/archive/archive';
import { openExistingArchive } from '../../books/archive/openArchive';
import type { Period } from '../../books/chain/period';

/** Rows of the archive that are sent together. */
const rowsAtOnce = 200;

/**
 * Reads the receipts of a period from an archive, as JSON Lines. Throws an ArchiveError at once
 * where there is none.
 */
export async function dayReceipts(store: string, period: Period): Promise<AsyncIterable<string>> {
  const archive = await openExistingArchive(store);
  return linesOf(archive, period);
}

async function* linesOf(archive: Archive, period: Period): AsyncGenerator<string> {
  try {
    let lines: string[] = [];
    for await (const receipt of archive.receipts(period)) {
      if (lines.push(`${JSON.stringify(receipt)}\n`) < rowsAtOnce) continue;
      yield lines.join('');
      lines = [];
    }
    yield lines.join('');
  } finally {
    await archive.close();
  }
}
