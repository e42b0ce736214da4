// @ts-check
const path = require('node:path');
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');

async function soak() {
  enterPrivateEnvironment();
  await prepare();
  require('tsx/cjs/api').register();
  require(path.join(__dirname, '..', 'soak', 'main.ts'));
}

void soak();
