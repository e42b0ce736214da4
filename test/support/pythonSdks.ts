import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../scripts/temporalServer';

/** A Python with the vendor's SDKs: the program, and the variable that shows it their folder. */
export type Python = { program: string; env: { PYTHONPATH: string } };

export const pythonSdkVersion = '9.6.0';
const packages = [
  'circle-configurations',
  'circle-developer-controlled-wallets',
  'circle-smart-contract-platform',
].map((name) => `${name}==${pythonSdkVersion}`);

const program = 'python3';
const installMsMax = 180_000;

/**
 * Python with the vendor's SDKs. The first call installs them into a folder of the cache. Returns
 * undefined, with a line on stderr, without Python 3, pip or a package index.
 */
export function pythonSdks(): Python | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, version] = stdout?.match(/^Python (\d+\.\d+)/) ?? [];
  if (status !== 0 || version === undefined) return skip(`there is no ${program}`);
  const folder = join(cacheDir(), `python-sdks-${pythonSdkVersion}-${version}`);
  const fault = existsSync(folder) ? undefined : install(folder);
  return fault === undefined ? { program, env: { PYTHONPATH: folder } } : skip(fault);
}

/**
 * Installs into a second folder and renames it, so that nobody sees half of it. Returns the error.
 */
function install(folder: string): string | undefined {
  process.stderr.write("Installing the vendor's Python SDKs …\n");
  const aside = `${folder}.${process.pid}.part`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', aside, ...packages];
  const done = spawnSync(program, pip, { encoding: 'utf8', timeout: installMsMax });
  if (done.status !== 0) return `pip could not install them: ${done.stderr.trim()}`;
  try {
    renameSync(aside, folder);
  } catch {
    // Another process was faster.
    rmSync(aside, { recursive: true, force: true });
  }
  return undefined;
}

function skip(why: string): undefined {
  process.stderr.write(`Skipped: the tests with the Python SDKs do not run, since ${why}.\n`);
}
