import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { workflowBundle } from '../support/temporal';
import { readTexts } from './files';
import { checkFunctions, checkLines, functionLines, limits, linesOf, median } from './sizes';
import { type Finding, isCode, read, repositoryPaths, type Source, show, sizeOf } from './source';
import { checkAllWords } from './words';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ integrity: z.string().optional(), resolved: z.string().optional() }),
  ),
});

/** It jumps when a workflow imports a schema library or an HTTP client by value. */
const bundleBytesMax = 1_450_000;

const paths = repositoryPaths();
const texts = readTexts(paths);
const code = texts.filter(isCode);

describe('the repository', () => {
  test('has files and lines that fit on a screen', () => {
    expect(show(code.flatMap(checkLines))).toBe('');
    expect(median(code.map((file) => linesOf(file.text)))).toBeLessThanOrEqual(
      limits.fileLinesMedian,
    );
  });

  test('has short functions with few parameters', () => {
    expect(show(code.flatMap(checkFunctions))).toBe('');
    expect(median(code.flatMap(functionLines))).toBeLessThanOrEqual(limits.functionLinesMedian);
  });

  test('has no word or construct that has a better one', () => {
    expect(show(texts.flatMap(checkAllWords))).toBe('');
  });

  test('has a hash of every package that may be installed, and runs no script of one', () => {
    const locks = paths.filter((path) => path.endsWith('package-lock.json'));
    expect(locks).toContain('package-lock.json');
    for (const lock of locks) {
      const { packages } = lockFile.parse(JSON.parse(read(lock).text));
      const own = Object.entries(packages).filter(([name]) => name !== '');
      const lacking = own.filter(([, { integrity, resolved }]) => !integrity || resolved);
      expect({ lock, lacking: lacking.map(([name]) => name) }).toEqual({ lock, lacking: [] });
      expect(read(join(dirname(lock), '.npmrc')).text).toMatch(/^ignore-scripts=true$/m);
    }
  });

  test('has no large file', () => {
    const large = paths.filter(
      (path) => sizeOf(path) > limits.fileBytes && path !== 'package-lock.json',
    );
    expect(large).toEqual([]);
  });

  test('has a small workflow bundle', () => {
    const [bundle = ''] = readFileSync(workflowBundle().codePath, 'utf8').split(
      '//# sourceMapping',
    );
    expect(bundle.length).toBeLessThan(bundleBytesMax);
  });
});

function planted(path: string, text: string): Source {
  return { path, text };
}

function rules(findings: Finding[]): string[] {
  return findings.map(({ line, rule }) => `${line}: ${rule}`);
}

describe('the check of sizes', () => {
  test('names a long file, a wide line, a long function and too many parameters', () => {
    const body = '  call();\n'.repeat(limits.functionLines);
    const long = planted('src/a.ts', `function a(b, c, d, e) {\n${body}}\n`);
    expect(rules(checkFunctions(long))).toEqual([
      `1: A function has at most 60 lines; this one has ${limits.functionLines + 2}.`,
      '1: A function takes at most 3 parameters, then an object.',
    ]);
    expect(checkLines(planted('src/a.ts', 'a;\n'.repeat(limits.fileLines)))).toEqual([]);
    expect(checkLines(planted('src/a.ts', 'a;\n'.repeat(limits.fileLines + 1)))).toHaveLength(1);
    expect(checkLines(planted('src/a.ts', 'a'.repeat(limits.columns + 1)))).toHaveLength(1);
  });
});

describe('the check of words', () => {
  test.each([
    ['src/a.ts', 'const a: any = 1;', 'No any'],
    ['src/a.ts', 'const a = b as string;', 'No cast'],
    ['src/a.ts', 'export default 1;', 'No default export'],
    ['src/a.ts', 'export default function a() {}', 'No default export'],
    ['src/a.ts', 'enum A { b }', 'No enum'],
    ['src/a.ts', 'const a = { ...{ b, c }, d };', 'No spread of a literal'],
    ['src/a.ts', "console.log('a');", 'No console'],
    ['src/a.ts', 'const { A } = process.env;', 'The environment is read'],
    ['src/a.ts', 'if (given !== config.apiKey) refuse();', 'No === for a secret'],
    ['src/a.ts', 'const ok = password == kept;', 'No === for a secret'],
    ['src/a.ts', 'type OrderManager = {};', '"manager" says nothing'],
    ['src/utils.ts', '', '"utils" says nothing'],
    ['workflows/a.ts', 'const a = Math.random();', 'No Math.random in a workflow'],
    ['workflows/a.ts', 'setTimeout(a, 1);', 'No setTimeout in a workflow'],
    ['docs/a.md', ['see /roo', 't/a'].join(''), 'is a path of one machine'],
    ['docs/a.md', ['TO', 'DO: more'].join(''), 'is work not done'],
    ['docs/a.md', ['npx ', 'steadfast list'].join(''), 'may run a package of somebody else'],
  ])('refuses, in %s: %s', (path, text, rule) => {
    expect(rules(checkAllWords(planted(path, text))).join('\n')).toContain(rule);
  });

  test('lets a secret be held against its absence', () => {
    const text = 'if (apiKey === undefined) ask();\nif (timingSafeEqual(a.secret, b)) open();\n';
    expect(checkAllWords(planted('src/a.ts', text))).toEqual([]);
  });

  test('lets const assertions, comments and strings pass', () => {
    const text = "// any helper as you like\nconst a = ['any', 'enum'] as const;\n";
    expect(checkAllWords(planted('src/a.ts', text))).toEqual([]);
  });
});
