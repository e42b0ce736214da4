import { execFile } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const root = join(__dirname, '..', '..', '..');
const run = promisify(execFile);

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() }),
  ),
});

/** The sources of the package's folder, without `dist`. */
const copied = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'scripts'];

/**
 * Packs the checkout and unpacks it in an empty project, beside the packages that it depends on.
 * These are the ones that npm installs without development packages. Returns their folder.
 */
export async function installPackage(project: string): Promise<string> {
  const checkout = join(project, '..', 'checkout');
  mkdirSync(checkout, { recursive: true });
  for (const path of copied) cpSync(join(root, path), join(checkout, path), { recursive: true });
  await run(process.execPath, [join(root, 'scripts', 'build.js'), join(checkout, 'dist')]);
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: checkout });
  const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout));
  const installed = join(project, 'node_modules', 'steadfast');
  mkdirSync(installed, { recursive: true });
  const tarball = join(checkout, packed?.filename ?? '');
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  linkPackages(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "a-team", "private": true }');
  return installed;
}

function linkPackages(project: string): void {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = lockFile.parse(JSON.parse(text));
  for (const [path, entry] of Object.entries(packages)) {
    const isTop = path !== '' && !path.slice('node_modules/'.length).includes('node_modules/');
    const source = join(root, path);
    // The lock file also lists packages for other platforms. They are not installed here.
    if (
      !isTop ||
      entry.dev ||
      entry.devOptional ||
      lstatSync(source, { throwIfNoEntry: false }) === undefined
    )
      continue;
    mkdirSync(dirname(join(project, path)), { recursive: true });
    symlinkSync(source, join(project, path));
  }
}
