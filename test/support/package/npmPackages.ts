import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { installed } from './installed';

const installMsMax = 300_000;

/**
 * A folder with packages from the npm registry, each named with its version. None of their scripts
 * is run. Returns undefined, with a line on stderr, without a registry.
 */
export function npmPackages(name: string, packages: readonly string[]): string | undefined {
  const versions = packages.map((one) => one.split('@').at(-1));
  const found = installed([name, ...versions].join('-'), (folder) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/package.json`, '{ "private": true }');
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--silent'];
    const how = { cwd: folder, encoding: 'utf8', timeout: installMsMax } as const;
    const done = spawnSync('npm', ['install', ...flags, ...packages], how);
    return done.status === 0 ? undefined : `npm could not install them: ${done.stderr.trim()}`;
  });
  if ('folder' in found) return found.folder;
  process.stderr.write(`Skipped: the tests with ${name} do not run, since ${found.fault}.\n`);
  return undefined;
}
