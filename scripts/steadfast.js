#!/usr/bin/env node
// @ts-check
const path = require('node:path');

require('tsx/cjs/api').register();
require(path.join(__dirname, '..', 'src', 'cli', 'main.ts'));
