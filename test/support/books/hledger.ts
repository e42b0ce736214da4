import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../package/installed';

const installMsMax = 120_000;

/**
 * Runs hledger, the one on PATH or else that of Debian. Undefined, with a line that says why, where
 * there is none.
 */
export function hledgerProgram(): ((...args: string[]) => string) | undefined {
  const isThere = spawnSync('hledger', ['--version']).status === 0;
  const program = isThere ? 'hledger' : fromDebian();
  if (program === undefined) return undefined;
  return (...args) => execFileSync(program, args, { encoding: 'utf8' });
}

/** Unpacks Debian's package into the cache, which needs no rights of an administrator. */
function fromDebian(): string | undefined {
  const found = installed('hledger-debian', (folder) => {
    const [lists, cache] = [join(folder, 'lists'), join(folder, 'cache')];
    for (const own of [lists, cache]) mkdirSync(join(own, 'partial'), { recursive: true });
    const own = ['-q', '-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${cache}`];
    return (
      faultOf('apt-get', [...own, 'update'], folder) ??
      faultOf('apt-get', [...own, 'download', 'hledger'], folder) ??
      faultOf('dpkg-deb', ['-x', debIn(folder), folder], folder)
    );
  });
  if ('folder' in found) return join(found.folder, 'usr', 'bin', 'hledger');
  process.stdout.write(`Not run: hledger cannot be installed: ${found.fault}\n`);
  return undefined;
}

function debIn(folder: string): string {
  return readdirSync(folder).find((name) => name.endsWith('.deb')) ?? 'none';
}

function faultOf(program: string, args: readonly string[], cwd: string): string | undefined {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: installMsMax });
  return done.status === 0 ? undefined : (done.stderr ?? String(done.error)).trim();
}
