import { type Archive, ArchiveError } from '../../books/archive/archive';
import { openExistingArchive } from '../../books/archive/openArchive';
import { verifySince } from '../../books/archive/verify';
import { withSecrets } from '../../variables';
import type { Call } from '../call';

/**
 * Opens the archive that the environment names, and checks its rows from a time on. Undefined where
 * STEADFAST_STORE is not set. Throws an ArchiveError that names the row that was changed.
 */
export async function archiveOf(
  { terminal }: Pick<Call, 'terminal'>,
  { fromMs }: { fromMs: number },
): Promise<Archive | undefined> {
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  if (!store) return undefined;
  const archive = await openExistingArchive(store);
  const { fault } = await verifySince(archive, fromMs);
  if (fault === undefined) return archive;
  await archive.close();
  throw new ArchiveError(
    `STEADFAST_STORE: the archive was changed. ${fault} Restore it, or find out who did that.`,
  );
}
