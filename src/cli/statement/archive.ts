import { type Archive, ArchiveError } from '../../archive/archive';
import { openArchive } from '../../archive/openArchive';
import { verifyArchive } from '../../archive/verify';
import { withSecrets } from '../../config';
import type { Call } from '../call';

/**
 * Opens the archive that the environment names, and checks its chain of hashes. Undefined where
 * STEADFAST_STORE is not set. Throws an ArchiveError that names the row that was changed.
 */
export async function archiveOf({
  terminal,
}: Pick<Call, 'terminal'>): Promise<Archive | undefined> {
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  if (!store) return undefined;
  const archive = await openArchive(store);
  const { fault } = await verifyArchive(archive.entries());
  if (fault === undefined) return archive;
  await archive.close();
  throw new ArchiveError(
    `STEADFAST_STORE: the archive was changed. ${fault} Restore it, or find out who did that.`,
  );
}
