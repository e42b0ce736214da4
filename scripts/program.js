// @ts-check
const path = require('node:path');
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');

/** Runs a program of this checkout in this process, so that signals and exit codes are its own. */
async function program() {
  const [file = ''] = process.argv.splice(2, 1);
  enterPrivateEnvironment();
  await prepare();
  require('./typescript');
  require(path.resolve(__dirname, '..', file));
}

void program();
