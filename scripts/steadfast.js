#!/usr/bin/env node
// @ts-check
const path = require('node:path');

try {
  require('tsx/cjs/api').register();
} catch {
  process.stderr.write('The packages are not installed: run "npm ci" in this folder first.\n');
  process.exit(2);
}
require(path.join(__dirname, '..', 'src', 'cli', 'main.ts'));
