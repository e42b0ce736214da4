// @ts-check
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const cacheFolder = path.join(root, 'node_modules', '.cache', 'steadfast');
const indexFile = path.join(cacheFolder, 'cli.json');
/** A process that has just started may still read an older bundle. */
const keptMs = 600_000;
/** Some file systems store file times no finer than this. */
const timeGrainMs = 50;

/** Long-running programs load native code, and find other files by their own path. */
const neverBundled = [
  '../../worker/runWorker',
  '../../worker/worker',
  '../../privacy/runCodecServer',
  '../../notices/runReceiver',
  '../../console/runConsole',
  '../../../sandbox/*',
  '../dev/runDev',
];

/**
 * Bundles the CLI with all its imports into one file, cli.js. Loading a thousand small files takes
 * more processor time than most commands.
 * @param {string} folder
 * @returns {string[]} the files that were read
 */
function bundleCli(folder) {
  const esbuild = require('esbuild');
  const { metafile } = esbuild.buildSync({
    absWorkingDir: root,
    // Temporal's client loads the failure converter by its path.
    entryPoints: {
      cli: 'src/cli/main.ts',
      failureConverter: 'src/client/privacy/failureConverter.ts',
    },
    outdir: folder,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: 'node',
    target: 'node20',
    external: [...neverBundled, './failureConverter'],
    metafile: true,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs).map((file) => path.join(root, file));
}

/**
 * The bundle of a checkout. It is made again whenever one of its input files has changed.
 * @returns {string} the path of cli.js
 */
function freshBundle() {
  return knownBundle() ?? newBundle();
}

/** @returns {string | undefined} */
function knownBundle() {
  try {
    const { folder, stamps } = JSON.parse(fs.readFileSync(indexFile, 'utf8'));
    const file = path.join(cacheFolder, folder, 'cli.js');
    const isFresh = Object.entries(stamps).every(([input, stamp]) => stampOf(input) === stamp);
    return isFresh && fs.existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {string} */
function newBundle() {
  const startedAtMs = Date.now();
  fs.mkdirSync(cacheFolder, { recursive: true });
  removeOld(startedAtMs);
  const folder = fs.mkdtempSync(path.join(cacheFolder, 'cli-'));
  const stamps = stampsOf(bundleCli(folder));
  // A file that changes while it is bundled may be in the bundle in its old form. Use it only once.
  const isStable = Object.keys(stamps).every(
    (file) => fs.statSync(file).ctimeMs < startedAtMs - timeGrainMs,
  );
  if (isStable) {
    const unfinished = path.join(folder, 'index.json');
    fs.writeFileSync(unfinished, JSON.stringify({ folder: path.basename(folder), stamps }));
    fs.renameSync(unfinished, indexFile);
  }
  return path.join(folder, 'cli.js');
}

/**
 * Stamps of all inputs, of the source folders (a new file may hide another one), and of everything
 * else that decides about the bundle's content.
 * @param {readonly string[]} inputs
 */
function stampsOf(inputs) {
  const own = inputs.filter((file) => !file.includes('node_modules'));
  const others = [
    __filename,
    path.join(root, 'tsconfig.json'),
    path.join(root, 'node_modules', '.package-lock.json'),
  ].filter((file) => fs.existsSync(file));
  const files = new Set([...inputs, ...own.map((file) => path.dirname(file)), ...others]);
  // The root folder changes whenever a program writes a file there.
  files.delete(root);
  return Object.fromEntries([...files].map((file) => [file, stampOf(file)]));
}

/** The change time of a file cannot be set back, unlike the time of its content. */
function stampOf(/** @type {string} */ file) {
  const { size, ctimeMs, ino } = fs.statSync(file);
  return `${size} ${ctimeMs} ${ino}`;
}

function removeOld(/** @type {number} */ nowMs) {
  for (const name of fs.readdirSync(cacheFolder)) {
    const file = path.join(cacheFolder, name);
    // Another process may have removed it meanwhile.
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const isOld = stat !== undefined && nowMs - stat.mtimeMs > keptMs;
    if (name.startsWith('cli-') && isOld) fs.rmSync(file, { recursive: true, force: true });
  }
}

module.exports = { bundleCli, freshBundle };
