#!/usr/bin/env node
// @ts-check
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const root = path.join(__dirname, '..');
const args = process.argv.slice(2);

/** Long-running programs and debugged commands run from their own files. */
const unbundled = [
  ...['dev', 'sandbox', 'worker', 'codec', 'webhooks', 'console', 'bundle'],
  '--debug',
];

/**
 * A checkout runs its sources, even if compiled files exist. The package has no sources and runs
 * its compiled files.
 */
function start() {
  const isBundled = !args.some((arg) => unbundled.includes(arg));
  const sources = path.join(root, 'src', 'cli', 'main.ts');
  if (fs.existsSync(sources)) return startCheckout(sources, isBundled);
  const homes = ['.', 'dist'].map((folder) => path.join(root, folder));
  const bundle = homes.map((home) => path.join(home, 'bundle', 'cli.js')).find(fs.existsSync);
  if (isBundled && bundle !== undefined) runFile(bundle);
  else require(compiledMain(homes));
}

/**
 * The package of the sandbox alone has a program of its own.
 * @param {readonly string[]} homes
 * @returns {string}
 */
function compiledMain(homes) {
  const files = ['main.js', 'sandboxMain.js'].flatMap((name) =>
    homes.map((home) => path.join(home, 'src', 'cli', name)),
  );
  return files.find(fs.existsSync) ?? path.join(root, 'dist', 'src', 'cli', 'main.js');
}

/**
 * @param {string} sources
 * @param {boolean} isBundled
 */
function startCheckout(sources, isBundled) {
  let bundle;
  try {
    if (isBundled) bundle = require('./bundleCli').freshBundle();
    else require('./typescript');
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    process.stderr.write('The packages are not installed: run "npm ci" in this folder first.\n');
    process.exit(2);
  }
  if (bundle === undefined) require(sources);
  else runFile(bundle);
}

/**
 * Runs a CommonJS file with the machine code that an earlier run kept beside it, if there is any.
 * The name of that code holds size and time of the file. V8 refuses code of another V8 version.
 * @param {string} file
 */
function runFile(file) {
  const { size, ctimeMs } = fs.statSync(file);
  const folder = path.dirname(file);
  const codeFile = path.join(folder, `cli-${size}-${ctimeMs}.code`);
  const cachedData = fs.existsSync(codeFile) ? fs.readFileSync(codeFile) : undefined;
  const lead = '(function (exports, require, module, __filename, __dirname) {';
  const script = new vm.Script(`${lead}${fs.readFileSync(file, 'utf8')}\n})`, {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cachedData === undefined || script.cachedDataRejected === true) {
    process.once('exit', (code) => keepCode(script, codeFile, code));
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, folder);
}

/**
 * Keeps the machine code of this run. Help and refusals of bad input run too little code for that.
 * @param {vm.Script} script
 * @param {string} codeFile
 * @param {number} exitCode
 */
function keepCode(script, codeFile, exitCode) {
  if (exitCode === 2 || args.includes('--help') || args.includes('--version')) return;
  try {
    const folder = path.dirname(codeFile);
    for (const name of fs.readdirSync(folder)) {
      if (name.endsWith('.code')) fs.rmSync(path.join(folder, name), { force: true });
    }
    const unfinished = `${codeFile}.${process.pid}`;
    fs.writeFileSync(unfinished, script.createCachedData());
    fs.renameSync(unfinished, codeFile);
  } catch {
    // The folder may be read-only, as in the image: each run compiles for itself then.
  }
}

start();
