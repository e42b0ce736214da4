// @ts-check
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');
const { run, stopOnSignals } = require('./run');

const root = path.join(__dirname, '..');

/** @typedef {{passed: number, failed: number}} Count */

async function test() {
  enterPrivateEnvironment();
  await prepare({ onFailure: () => printSum([{ passed: 0, failed: 1 }]) });
  stopOnSignals(() => printSum([{ passed: 0, failed: 1 }]));
  const biome = await check('biome', ['@biomejs/biome/bin/biome', 'check', '.']);
  // The compiler needs no output until it is done, so it shares the time with the tests.
  const [types, tests] = await Promise.all([
    check('tsc', ['typescript/bin/tsc', '--incremental', '--tsBuildInfoFile', buildInfo()]),
    jest(process.argv.slice(2)),
  ]);
  const counts = [biome, types, tests];
  printSum(counts);
  process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
}

/** What the compiler remembers between runs; node_modules is ignored by everything. */
function buildInfo() {
  return path.join(root, 'node_modules', '.cache', 'tsc.tsbuildinfo');
}

/**
 * @param {string} name
 * @param {[script: string, ...args: string[]]} command
 * @returns {Promise<Count>}
 */
async function check(name, [script, ...args]) {
  const command = [process.execPath, require.resolve(script), ...args];
  const { code, output } = await run(command, { cwd: root, quiet: true });
  process.stderr.write(code === 0 ? `${name}: passed\n` : `${output.trimEnd()}\n${name}: failed\n`);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * @param {string[]} args
 * @returns {Promise<Count>}
 */
async function jest(args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steadfast-test-'));
  const report = path.join(folder, 'report.json');
  const script = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  try {
    const command = [process.execPath, script, '--ci', '--json', `--outputFile=${report}`, ...args];
    const { code } = await run(command, { cwd: root });
    return count(code, report);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A run that ended badly without a failed test, or had no test at all, is a failure too.
 * @param {number} code
 * @param {string} report
 * @returns {Count}
 */
function count(code, report) {
  if (!fs.existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    fs.readFileSync(report, 'utf8'),
  );
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const isBroken = failed === 0 && (code !== 0 || numPassedTests === 0);
  return { passed: numPassedTests, failed: isBroken ? 1 : failed };
}

/** @param {Count[]} counts */
function printSum(counts) {
  const sum = (/** @type {keyof Count} */ key) => counts.reduce((all, one) => all + one[key], 0);
  // Written at once: nothing may come after this line, not even when the process exits now.
  fs.writeSync(1, `${sum('passed')} passed, ${sum('failed')} failed\n`);
}

void test();
