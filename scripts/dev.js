// @ts-check
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');

async function dev() {
  enterPrivateEnvironment();
  await prepare();
  process.argv.splice(2, 0, 'dev');
  require('./steadfast');
}

void dev();
