import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../../scripts/temporalServer';

/** The folder of something that was installed, or the reason why it could not be. */
export type Installed = { folder: string } | { fault: string };

/**
 * A folder of the cache with programs of others. The first call installs them beside it and renames
 * the folder, so that nobody sees half of it. The installer returns its error, if it has one.
 */
export function installed(
  name: string,
  install: (folder: string) => string | undefined,
): Installed {
  const folder = join(cacheDir(), name);
  if (existsSync(folder)) return { folder };
  process.stderr.write(`Installing ${name} for tests …\n`);
  const aside = `${folder}.${process.pid}.part`;
  const fault = install(aside);
  if (fault !== undefined) {
    rmSync(aside, { recursive: true, force: true });
    return { fault };
  }
  try {
    renameSync(aside, folder);
  } catch {
    // Another process was faster.
    rmSync(aside, { recursive: true, force: true });
  }
  return { folder };
}
