// @ts-check
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { enterPrivateEnvironment } = require('./environment');
const { prepare } = require('./prepare');
const { run, stopOnSignals } = require('./run');

const root = path.join(__dirname, '..');

/** @typedef {{passed: number, failed: number}} Count */

/** Set for `npm run test:all`, which omits nothing and repeats kills and fuzz by the hundred. */
const isWhole = process.argv.includes('--all');
/**
 * Tests of packages, containers and a production server, the compiled example of a page, and a
 * second vendor's SDK. `npm test` omits them.
 */
const longTests = '/test/system/(production/|addWorkflow|conformance/python)';
/** Workflow tests mostly wait, so the short lane runs more files at a time than there are cores. */
const shortWorkers = 5;
const slowestShown = 15;

async function test() {
  enterPrivateEnvironment();
  process.env.TEST_LANE = isWhole ? 'all' : 'short';
  await prepare({ onFailure: () => printSum([{ passed: 0, failed: 1 }]) });
  stopOnSignals(() => printSum([{ passed: 0, failed: 1 }]));
  const biome = await check('biome', ['@biomejs/biome/bin/biome', 'check', '.']);
  // The compiler has no output until its end, so it runs beside the tests.
  const [types, tests] = await Promise.all([
    check('tsc', ['typescript/bin/tsc']),
    jest(process.argv.slice(2).filter((arg) => arg !== '--all')),
  ]);
  const counts = [biome, types, tests];
  printSum(counts);
  process.exitCode = counts.some(({ failed }) => failed > 0) ? 1 : 0;
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
    const lane = isWhole
      ? []
      : [`--testPathIgnorePatterns=${longTests}`, `--maxWorkers=${shortWorkers}`];
    // Patterns come first: an argument without a dash after these options would be a pattern too.
    const options = [...lane, '--ci', '--json', `--outputFile=${report}`];
    const { code } = await run([process.execPath, script, ...options, ...args], { cwd: root });
    return count(code, report);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A run that failed without a failed test, or that ran no test, counts as one failure.
 * @param {number} code
 * @param {string} report
 * @returns {Count}
 */
function count(code, report) {
  if (!fs.existsSync(report)) return { passed: 0, failed: 1 };
  const results = JSON.parse(fs.readFileSync(report, 'utf8'));
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
  printSlowest(results.testResults);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const isBroken = failed === 0 && (code !== 0 || numPassedTests === 0);
  return { passed: numPassedTests, failed: isBroken ? 1 : failed };
}

/**
 * Prints the slowest test files with their times, and the sum of all.
 * @param {{name: string, startTime: number, endTime: number}[]} files
 */
function printSlowest(files) {
  const rows = files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }))
    .sort((one, other) => other.seconds - one.seconds);
  const all = rows.reduce((sum, { seconds }) => sum + seconds, 0);
  const lines = rows
    .slice(0, slowestShown)
    .map(
      ({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path.relative(root, name)}`,
    );
  const total = `${all.toFixed(1).padStart(7)} s  all ${rows.length} test files`;
  process.stderr.write(`\nThe slowest test files:\n${[...lines, total].join('\n')}\n\n`);
}

/** @param {Count[]} counts */
function printSum(counts) {
  const sum = (/** @type {keyof Count} */ key) => counts.reduce((all, one) => all + one[key], 0);
  // A synchronous write: this must be the last line, even when the process exits now.
  fs.writeSync(1, `${sum('passed')} passed, ${sum('failed')} failed\n`);
}

void test();
