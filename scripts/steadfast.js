#!/usr/bin/env node
// @ts-check
const fs = require('node:fs');
const path = require('node:path');

/**
 * A checkout has sources and runs those, whatever was compiled of them at some time. The package
 * has none: it runs what was compiled for it.
 */
const programs = ['src/cli/main.ts', 'src/cli/main.js', 'dist/src/cli/main.js'];
const root = path.join(__dirname, '..');
const program = programs.map((file) => path.join(root, file)).find((file) => fs.existsSync(file));

if (program?.endsWith('.ts')) {
  try {
    require('tsx/cjs/api').register();
  } catch {
    process.stderr.write('The packages are not installed: run "npm ci" in this folder first.\n');
    process.exit(2);
  }
}
require(program ?? path.join(root, 'src', 'cli', 'main.ts'));
