import type { Archive } from '../../books/archive/archive';
import { openExistingArchive, storeForms } from '../../books/archive/openArchive';
import { withSecrets } from '../../variables';
import type { Call } from '../call';
import { InputError } from '../exit';

/**
 * Opens the archive that the environment names, for the time of some work. By default it must
 * exist, since a name that is mistyped would be an empty archive.
 */
export async function withArchive<T>(
  { terminal }: Call,
  work: (archive: Archive) => Promise<T>,
  open = openExistingArchive,
): Promise<T> {
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  if (!store) {
    throw new InputError(
      `STEADFAST_STORE: is not set. Set it to the archive of the workers: ${storeForms}.`,
    );
  }
  const archive = await open(store);
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}
