// @ts-check
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { bundleCli } = require('./bundleCli');

const root = path.join(__dirname, '..');
/** Files that programs read at run time beside their code. */
const readAtRunTime = 'sandbox/contracts';

/**
 * Compiles the code of the package and the image into a folder. Default: `dist`. Removes the
 * folder first, so that nothing of an older build stays.
 */
function build(folder = path.join(root, 'dist')) {
  compile(folder);
  const inputs = bundleCli(path.join(folder, 'bundle'));
  fs.writeFileSync(path.join(folder, 'bundle', 'LICENSES.txt'), licensesOf(inputs));
}

/**
 * Compiles all code into a folder, with its types and with the files that programs read.
 * @param {string} folder
 */
function compile(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = path.join(root, 'tsconfig.build.json');
  const command = [compiler, '--project', project, '--outDir', folder];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  fs.cpSync(path.join(root, readAtRunTime), path.join(folder, readAtRunTime), { recursive: true });
}

/**
 * The licences of all packages that are part of the bundle.
 * @param {readonly string[]} inputs
 */
function licensesOf(inputs) {
  const packages = inputs.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(packages)]
    .sort()
    .flatMap((folder) =>
      fs
        .readdirSync(folder)
        .filter((name) => /^licen[cs]e/i.test(name))
        .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
        .map((text) => `${path.relative(path.join(root, 'node_modules'), folder)}\n\n${text}`),
    )
    .join(`\n${'-'.repeat(80)}\n`);
}

if (require.main === module) build(process.argv[2]);

module.exports = { compile };
