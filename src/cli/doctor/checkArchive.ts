import { openExistingArchive } from '../../books/archive/openArchive';
import { checkContradictions } from '../../health/checkContradictions';
import { broken, firstLine, type HealthFinding } from '../../health/finding';

/** Checks that the archive can be read, and that no two receipts of one write contradict. */
export async function checkArchive(store: string): Promise<HealthFinding> {
  try {
    const archive = await openExistingArchive(store);
    return await checkContradictions(archive).finally(() => archive.close());
  } catch (error) {
    return broken('Archive', firstLine(error), 'The first worker with STEADFAST_STORE makes it.');
  }
}
