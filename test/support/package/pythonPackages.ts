import { spawnSync } from 'node:child_process';
import { installed } from './installed';

/** A Python with packages of others: the program, and the variable that shows it their folder. */
export type Python = { program: string; env: { PYTHONPATH: string } };

const program = 'python3';
const installMsMax = 180_000;

/**
 * Python with packages from its index, each named with its version. Returns undefined, with a line
 * on stderr, without Python 3, pip or an index.
 */
export function pythonPackages(
  name: string,
  packages: readonly string[],
  ...flags: string[]
): Python | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, version] = stdout?.match(/^Python (\d+\.\d+)/) ?? [];
  if (status !== 0 || version === undefined) return skip(name, `there is no ${program}`);
  const versions = [...new Set(packages.map((one) => one.split('==')[1]))];
  const found = installed([name, ...versions, version].join('-'), (folder) => {
    const pip = ['-m', 'pip', 'install', '--quiet', ...flags, '--target', folder, ...packages];
    const done = spawnSync(program, pip, { encoding: 'utf8', timeout: installMsMax });
    return done.status === 0 ? undefined : `pip could not install them: ${done.stderr.trim()}`;
  });
  if ('fault' in found) return skip(name, found.fault);
  return { program, env: { PYTHONPATH: found.folder } };
}

function skip(name: string, why: string): undefined {
  process.stderr.write(`Skipped: the tests with ${name} do not run, since ${why}.\n`);
}
