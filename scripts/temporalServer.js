// @ts-check
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { buildTemporal, downloadTemporal } = require('./getTemporal');
const { withLock } = require('./lock');
const { run } = require('./run');

/** The oldest server version with all features that the workflows need. */
const serverMin = { major: 1, minor: 29 };

/** The folder of the server, shared by all checkouts of a user. */
function cacheDir() {
  // By the XDG specification a relative path is ignored.
  const { XDG_CACHE_HOME: given } = process.env;
  const base = given && path.isAbsolute(given) ? given : path.join(os.homedir(), '.cache');
  return path.join(base, 'steadfast');
}

/**
 * The path of a Temporal server that runs on this machine. Gets one when there is none.
 * Order: on PATH, cached, official download, built from source with Go.
 * @returns {Promise<string>}
 */
async function temporalServer() {
  const cached = path.join(cacheDir(), 'bin', 'temporal');
  for (const candidate of [...onPath('temporal'), cached]) {
    if (await works(candidate)) return candidate;
  }
  return withLock(path.join(cacheDir(), 'temporal.lock'), async () => {
    // Another process may have got the server while this one waited.
    if (await works(cached)) return cached;
    await obtain(cached);
    return cached;
  });
}

/** @param {string} target */
async function obtain(target) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const scratch = fs.mkdtempSync(path.join(cacheDir(), 'get-'));
  try {
    for (const get of [downloadTemporal, buildTemporal]) {
      const binary = await get(scratch);
      if (binary === undefined || !(await works(binary))) continue;
      // A rename is atomic, so no process ever sees half a server.
      fs.renameSync(binary, target);
      return;
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  throw new Error(
    'No Temporal server: the official download did not answer and Go could not build one. ' +
      'Connect to the network once, or install Go (https://go.dev/dl), ' +
      `or put a "temporal" binary (https://docs.temporal.io/cli) on PATH or at ${target}.`,
  );
}

/** @param {string} name */
function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name));
}

/** @param {string} binary */
async function works(binary) {
  if (!fs.existsSync(binary)) return false;
  const { code, output } = await run([binary, '--version'], { quiet: true, timeoutMs: 10_000 });
  const [, major, minor] = /\(Server (\d+)\.(\d+)/.exec(output) ?? [];
  const isNew = Number(major) === serverMin.major && Number(minor) >= serverMin.minor;
  return code === 0 && (isNew || Number(major) > serverMin.major);
}

module.exports = { temporalServer, cacheDir };
