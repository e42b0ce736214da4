// @ts-check
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
/** What the programs read beside their code. */
const readAtRunTime = 'src/sandbox/contracts';

/**
 * Compiles what the package and the image run into a folder, `dist` unless another one is named.
 * Whatever was there before is removed, so that nothing of an older build is left.
 */
function build(folder = path.join(root, 'dist')) {
  fs.rmSync(folder, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = path.join(root, 'tsconfig.build.json');
  const command = [compiler, '--project', project, '--outDir', folder];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  fs.cpSync(path.join(root, readAtRunTime), path.join(folder, readAtRunTime), { recursive: true });
}

build(process.argv[2]);
