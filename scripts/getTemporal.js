// @ts-check
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { progress } = require('./progress');
const { run } = require('./run');

const root = path.join(__dirname, '..');

/** The newest release that `go install` accepts. Later ones have a replace directive. */
const version = 'v1.5.1';
const goModule = `github.com/temporalio/cli@${version}`;
/** The sum of its files, as Go's public log has it. Its own list pins all that it is built from. */
const goSum = 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=';
const silentMsMax = 10_000;
const lookMs = 200;

/**
 * Lets the SDK download the official server. The SDK does so only while it starts that server. So
 * this runs in a process group of its own, which ends when the file is complete.
 */
const download = `
  const { TestWorkflowEnvironment } = require('@temporalio/testing');
  const [, downloadDir, version] = process.argv;
  const executable = { type: 'cached-download', downloadDir, version };
  TestWorkflowEnvironment.createLocal({ server: { executable } }).then(
    (environment) => environment.teardown(),
    () => process.exit(1),
  );
`;

/**
 * The official server, downloaded into the folder. Undefined when nothing arrives for 10 seconds.
 * @param {string} folder
 * @returns {Promise<string | undefined>}
 */
async function downloadTemporal(folder) {
  const work = watchDownload(folder);
  return progress('Downloading the Temporal server', work).catch(() => undefined);
}

/** @param {string} folder */
async function watchDownload(folder) {
  const child = spawn(process.execPath, ['-e', download, folder, version], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  });
  let ended = false;
  child.once('error', () => {
    ended = true;
  });
  child.once('exit', () => {
    ended = true;
  });
  const kill = () => killGroup(child.pid);
  process.once('exit', kill);
  try {
    return await waitForFile(folder, () => ended);
  } finally {
    process.off('exit', kill);
    kill();
  }
}

/**
 * @param {string} folder
 * @param {() => boolean} hasEnded
 */
async function waitForFile(folder, hasEnded) {
  let bytes = 0;
  let arrivedAt = Date.now();
  while (Date.now() - arrivedAt < silentMsMax) {
    const ended = hasEnded();
    const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
    const done = files.find((file) => !file.endsWith('.downloading'));
    if (done !== undefined) return done;
    if (ended) break;
    const now = files.reduce((sum, file) => sum + fs.statSync(file).size, 0);
    if (now > bytes) arrivedAt = Date.now();
    bytes = now;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  throw new Error('Nothing arrived.');
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * The server, built from source in the folder. Undefined without Go or when the build fails.
 * @param {string} folder
 * @returns {Promise<string | undefined>}
 */
async function buildTemporal(folder) {
  const { code } = await run(['go', 'version'], { quiet: true });
  if (code !== 0) return undefined;
  const what = 'Building the Temporal server with Go (3–4 minutes the first time)';
  return progress(what, goInstallOf(folder)).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    return undefined;
  });
}

/** @param {string} folder */
async function goInstallOf(folder) {
  const { code, output } = await run(['go', 'mod', 'download', '-json', goModule], { quiet: true });
  if (code !== 0) throw new Error(output.trim().split('\n').slice(-5).join('\n'));
  const [, sum] = /"Sum": "([^"]+)"/.exec(output) ?? [];
  if (sum !== goSum) {
    throw new Error(
      `The source of ${goModule} has the sum ${sum}, not ${goSum}. It was not built.`,
    );
  }
  return goInstall(goModule.replace('@', '/cmd/temporal@'), folder);
}

/**
 * Builds a program from its published source. Returns its path. Throws with Go's last lines.
 * @param {string} source a package with its version
 * @param {string} folder
 */
async function goInstall(source, folder) {
  const { code, output } = await run(['go', 'install', '-ldflags=-s -w', source], {
    // GOBIN may not be combined with another target platform.
    env: { ...process.env, GOBIN: folder, GOOS: '', GOARCH: '', CGO_ENABLED: '0' },
    quiet: true,
  });
  if (code !== 0) throw new Error(output.trim().split('\n').slice(-5).join('\n'));
  return path.join(folder, path.basename(source.replace(/@.*$/, '')));
}

module.exports = { downloadTemporal, buildTemporal, goInstall };
