// @ts-check
const fs = require('node:fs');
const path = require('node:path');
const { withLock } = require('./lock');
const { progress } = require('./progress');
const { run } = require('./run');

const root = path.join(__dirname, '..');
const shownLinesMax = 15;

/** Installs the packages of the lock file, unless exactly those are installed. */
async function install() {
  if (isInstalled()) return;
  await withLock(path.join(root, '.steadfast', 'install.lock'), async () => {
    if (isInstalled()) return;
    await progress('Installing packages (npm ci)', runNpm());
  });
}

async function runNpm() {
  // A silent npm would hide the reason of a failure.
  const flags = [
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { code, output } = await run([...npm(), 'ci', ...flags], { cwd: root, quiet: true });
  if (code === 0) return;
  const lines = output.trim().split('\n').slice(0, shownLinesMax).join('\n');
  throw new Error(`${lines}\nThe packages could not be installed: npm ci ended with ${code}.`);
}

/**
 * Compares the installed packages with the lock file by content. File times change with every
 * checkout.
 */
function isInstalled() {
  const wanted = packagesOf(path.join(root, 'package-lock.json'));
  const installed = packagesOf(path.join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted).every(([name, entry]) => {
    const found = installed[name];
    // Optional packages that are not installed are for other platforms.
    if (name === '' || (entry.optional && !found)) return true;
    return found?.version === entry.version && fs.existsSync(path.join(root, name));
  });
}

/**
 * @param {string} file
 * @returns {Record<string, {version?: string, optional?: boolean}>}
 */
function packagesOf(file) {
  if (!fs.existsSync(file)) return {};
  return JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {};
}

/** The npm that started this script, or else the one on PATH. */
function npm() {
  const script = process.env.npm_execpath ?? '';
  return path.basename(script) === 'npm-cli.js' ? [process.execPath, script] : ['npm'];
}

module.exports = { install };
