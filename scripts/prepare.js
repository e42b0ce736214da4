// @ts-check
const { install } = require('./install');
const { stopOnSignals } = require('./run');
const { temporalServer } = require('./temporalServer');

const nodeMin = { major: 20, minor: 19 };

/**
 * Installs everything that a fresh clone needs. Without success it prints a sentence and exits.
 * @param {{onFailure?: () => void}} [options] onFailure prints what must be the last line
 */
async function prepare({ onFailure = () => {} } = {}) {
  const undo = stopOnSignals(onFailure);
  try {
    requireNode();
    await install();
    await temporalServer();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    onFailure();
    process.exit(2);
  } finally {
    undo();
  }
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > nodeMin.major || (major === nodeMin.major && minor >= nodeMin.minor)) return;
  const wanted = `${nodeMin.major}.${nodeMin.minor}`;
  throw new Error(`Node ${wanted} or newer is needed. This is Node ${process.versions.node}.`);
}

module.exports = { prepare };
