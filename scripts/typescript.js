// @ts-check
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const folder = path.join(root, 'node_modules', '.cache', 'steadfast', 'compiled');

/** @type {import('@swc/core').Options} */
const options = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};

/** @typedef {NodeModule & {_compile(code: string, file: string): void}} Compiling */

/**
 * Lets `require` load the sources of this checkout, and `--require` of this file does so too. Each
 * file is compiled once, for all later processes.
 */
function registerTypeScript() {
  // A missing package is told before anything is loaded.
  const compiler = require.resolve('@swc/core');
  process.setSourceMapsEnabled(true);
  require.extensions['.ts'] = (module, file) => {
    /** @type {Compiling} */ (module)._compile(compiled(file, compiler), file);
  };
}

/**
 * The last line of a kept file tells what it was compiled from.
 * @param {string} file
 * @param {string} compiler
 */
function compiled(file, compiler) {
  const source = fs.readFileSync(file, 'utf8');
  const hash = createHash('sha256').update(`${JSON.stringify(options)}${file}${source}`);
  const stamp = `//${hash.digest('hex')}`;
  const keptFile = path.join(folder, `${path.relative(root, file).replaceAll(path.sep, '~')}.js`);
  const kept = fs.existsSync(keptFile) ? fs.readFileSync(keptFile, 'utf8') : '';
  if (kept.endsWith(stamp)) return kept;
  const { code } = require(compiler).transformSync(source, { ...options, filename: file });
  keep(keptFile, `${code}\n${stamp}`);
  return code;
}

/**
 * @param {string} file
 * @param {string} code
 */
function keep(file, code) {
  const unfinished = `${file}.${process.pid}`;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(unfinished, code);
  fs.renameSync(unfinished, file);
}

registerTypeScript();
