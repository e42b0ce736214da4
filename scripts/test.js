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
/** Set by `.ci/run`: files with a failed test run once more, alone, and what then passes is named. */
const isPatient = process.argv.includes('--again');
const ownArgs = ['--all', '--again'];
/**
 * Tests that `npm test` omits: tests of wholes, which run all processes and kill them, and tests of
 * the programs that prove something.
 */
const longTests = '/test/(system|proof)/';
/** Workflow tests mostly wait, so more files run at a time than there are cores. */
const workers = 7;
/** A long test on a busy machine may take minutes. A test that hangs takes for ever. */
const longTestMs = 900_000;
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
    jest(process.argv.slice(2).filter((arg) => !ownArgs.includes(arg))),
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
 * Runs the tests. With `--again`, files with a failed test run once more, one after another.
 * @param {string[]} args
 * @returns {Promise<Count>}
 */
async function jest(args) {
  const patience = isWhole ? [`--testTimeout=${longTestMs}`] : [];
  const lane = isWhole ? [] : [`--testPathIgnorePatterns=${longTests}`];
  // Patterns come first: an argument without a dash after these options would be a pattern too.
  const first = await reported([`--maxWorkers=${workers}`, ...patience, ...lane, ...args]);
  printSlowest(first.files);
  const red = first.files.filter(({ status }) => status === 'failed').map(({ name }) => name);
  if (!isPatient || red.length === 0 || red.length > flakyMax) return first.count;
  process.stderr.write(`Files with a failed test, once more and alone:\n${red.join('\n')}\n`);
  const again = await reported(['--runInBand', ...patience, '--runTestsByPath', ...red]);
  const flaky = again.files.filter(({ status }) => status === 'passed').map(({ name }) => name);
  process.stderr.write(`Flaky, to be fixed: ${flaky.join(', ') || 'none'}\n`);
  const isRed = (/** @type {TestFile} */ { name }) => red.includes(name);
  const before = first.files.filter(isRed).reduce((sum, file) => sum + passedIn(file), 0);
  return {
    passed: first.count.passed - before + again.count.passed,
    failed: again.count.failed,
  };
}

/** More files with a failed test than these are no flakes. */
const flakyMax = 5;

/**
 * @typedef {object} TestFile
 * @property {string} name
 * @property {string} status
 * @property {number} startTime
 * @property {number} endTime
 * @property {{status: string}[]} assertionResults
 */

/** @param {TestFile} file */
function passedIn({ assertionResults }) {
  return assertionResults.filter(({ status }) => status === 'passed').length;
}

/**
 * Runs jest once, and reads its report.
 * @param {string[]} args
 * @returns {Promise<{count: Count, files: TestFile[]}>}
 */
async function reported(args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steadfast-test-'));
  const report = path.join(folder, 'report.json');
  const script = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  try {
    const options = ['--ci', '--json', `--outputFile=${report}`];
    const { code } = await run([process.execPath, script, ...options, ...args], { cwd: root });
    if (!fs.existsSync(report)) return { count: { passed: 0, failed: 1 }, files: [] };
    const results = JSON.parse(fs.readFileSync(report, 'utf8'));
    return { count: count(code, results), files: results.testResults };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A run that failed without a failed test, or that ran no test, counts as one failure.
 * @param {number} code
 * @param {Record<string, number>} results
 * @returns {Count}
 */
function count(code, { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 }) {
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const isBroken = failed === 0 && (code !== 0 || numPassedTests === 0);
  return { passed: numPassedTests, failed: isBroken ? 1 : failed };
}

/**
 * Prints the slowest test files with their times, and the sum of all.
 * @param {TestFile[]} files
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
