// @ts-check
const path = require('node:path');
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');

async function sweep() {
  enterPrivateEnvironment();
  await prepare();
  require('tsx/cjs/api').register();
  require(path.join(__dirname, '..', 'sweep', 'main.ts'));
}

void sweep();
