// @ts-check
const path = require('node:path');
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');

async function start() {
  enterPrivateEnvironment();
  await prepare();
  // In this process, so that no signal and no exit code has to be passed on.
  require('tsx/cjs/api').register();
  require(path.join(__dirname, '..', 'src', 'demo.ts'));
}

void start();
