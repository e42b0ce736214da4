// @ts-check
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const ts = require('typescript');
const { compile } = require('./build');
const whole = require('../package.json');
const lock = require('../package-lock.json');

const root = path.join(__dirname, '..');

/**
 * A package that has a part of this tree: some modules, with all that they import.
 * @typedef {object} Part
 * @property {string} name
 * @property {string} description
 * @property {Readonly<Record<string, string>>} exports modules that others import, by their path
 * @property {readonly string[]} [programs] other modules to begin from
 * @property {readonly string[]} [found] packages that are found by their path, without an import
 * @property {Readonly<Record<string, string>>} copies files of the tree, and their place
 * @property {Readonly<Record<string, string>>} [bin]
 * @property {string} page the page of the documentation to begin with
 */

/** @type {readonly Part[]} */
const parts = [
  {
    name: '@steadfast/client',
    description: 'Starts and follows orders of Steadfast from a Node backend.',
    exports: {
      '.': 'src/client/client',
      './privacy': 'src/client/privacy/privacy',
    },
    // Temporal's client loads it by its path.
    programs: ['src/client/privacy/failureConverter'],
    copies: { 'docs/schemas': 'schemas' },
    page: 'docs/how-to/pay-a-list-from-your-backend.md',
  },
  {
    name: '@steadfast/sandbox',
    description:
      'A sandbox of the wallet service on a chain of its own, for tests and offline work.',
    exports: { '.': 'src/local/sandbox' },
    programs: ['src/cli/sandboxMain'],
    found: ['@foundry-rs/anvil', '@openzeppelin/contracts', '@openzeppelin/contracts-upgradeable'],
    copies: {
      'sandbox/contracts': 'dist/sandbox/contracts',
      'scripts/steadfast.js': 'dist/scripts/steadfast.js',
    },
    bin: { steadfast: 'dist/scripts/steadfast.js' },
    page: 'docs/how-to/use-the-sandbox-alone.md',
  },
];

/**
 * Makes the package for callers alone and the one of the sandbox alone, as npm packs them.
 * @param {string} folder where both files go
 * @returns {string[]} their paths
 */
function pack(folder) {
  fs.mkdirSync(folder, { recursive: true });
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'steadfast-pack-'));
  try {
    const compiled = path.join(scratch, 'compiled');
    compile(compiled);
    return parts.map((part) => packPart(part, { compiled, scratch, folder }));
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {Part} part
 * @param {{compiled: string, scratch: string, folder: string}} places
 */
function packPart(part, { compiled, scratch, folder }) {
  const home = path.join(scratch, part.name);
  const modules = Object.values(part.exports);
  const code = [...modules, ...(part.programs ?? [])].map((module) => `${module}.js`);
  const types = modules.map((module) => `${module}.d.ts`);
  const { files, packages } = closureOf(compiled, [...code, ...types]);
  for (const file of files) {
    fs.cpSync(path.join(compiled, file), path.join(home, 'dist', file));
  }
  for (const [from, to] of Object.entries({ ...part.copies, LICENSE: 'LICENSE' })) {
    fs.cpSync(path.join(root, from), path.join(home, to), { recursive: true });
  }
  const written = { 'package.json': manifestOf(part, packages), 'README.md': readmeOf(part) };
  for (const [name, text] of Object.entries(written)) fs.writeFileSync(path.join(home, name), text);
  const command = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', command, { cwd: home, encoding: 'utf8' }));
  return path.join(folder, packed.filename);
}

/**
 * The compiled files that some files import, and the packages that all of these import.
 * @param {string} compiled
 * @param {readonly string[]} entries
 */
function closureOf(compiled, entries) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const packages = new Set();
  const left = [...entries];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of importsOf(path.join(compiled, file))) {
      if (name.startsWith('.')) left.push(imported(compiled, file, name));
      else if (!name.startsWith('node:')) packages.add(packageOf(name));
    }
  }
  return { files: [...files], packages: [...packages] };
}

/**
 * The file that another file imports by a name. Types import types, and code imports code.
 * @param {string} compiled
 * @param {string} by
 * @param {string} name
 */
function imported(compiled, by, name) {
  const form = by.endsWith('.d.ts') ? '.d.ts' : '.js';
  const module = path.join(path.dirname(by), name);
  const found = [module, `${module}${form}`, path.join(module, `index${form}`)].find((place) => {
    return fs.statSync(path.join(compiled, place), { throwIfNoEntry: false })?.isFile();
  });
  if (found === undefined) throw new Error(`${by} imports ${name}, which is not compiled.`);
  return found;
}

/** @param {string} file */
function importsOf(file) {
  const { importedFiles } = ts.preProcessFile(fs.readFileSync(file, 'utf8'), true, true);
  return importedFiles.map(({ fileName }) => fileName);
}

/** @param {string} name */
function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * @param {Part} part
 * @param {readonly string[]} packages
 */
function manifestOf({ name, description, exports, found = [], bin }, packages) {
  const { version, license, engines } = whole;
  const forms = (/** @type {string} */ module) => ({
    types: `./dist/${module}.d.ts`,
    default: `./dist/${module}.js`,
  });
  const main = forms(exports['.'] ?? '');
  const modules = Object.entries(exports).map(([at, module]) => [at, forms(module)]);
  const dependencies = [...packages, ...found].sort().map((one) => [one, versionOf(one)]);
  const manifest = {
    name,
    version,
    description,
    license,
    engines,
    main: main.default,
    types: main.types,
    exports: { ...Object.fromEntries(modules), './package.json': './package.json' },
    ...(bin && { bin }),
    dependencies: Object.fromEntries(dependencies),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** @param {string} name */
function versionOf(name) {
  /** @type {Record<string, {version?: string}>} */
  const packages = lock.packages;
  const version = packages[`node_modules/${name}`]?.version;
  if (version === undefined)
    throw new Error(`${name} is imported, and is not in package-lock.json.`);
  return version;
}

/** @param {Part} part */
function readmeOf({ name, description, page }) {
  const made = `It is made from the tree of Steadfast ${whole.version}.`;
  return `# ${name}\n\n${description}\n\n${made} Begin with \`${page}\` there.\n`;
}

if (require.main === module) {
  const folder = path.resolve(process.argv[2] ?? 'packages');
  for (const file of pack(folder)) process.stdout.write(`${file}\n`);
}

module.exports = { pack };
