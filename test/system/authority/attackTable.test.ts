import { posix } from 'node:path';
import { read, repositoryPaths } from '../../tidy/source';

const page = 'docs/explanation/attacks.md';
const paths = repositoryPaths();
const textOf = (path: string): string => (paths.includes(path) ? read(path).text : '');

/** The rows of the page whose last cell names a file and, in quotes, the title of a test. */
const rows = textOf(page)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attack |'))
  .map((line) => {
    const [, link = '', title = ''] = /\| \[[^\]]+\]\(([^)]+)\) "([^"]+)" \|$/.exec(line) ?? [];
    return { line, file: posix.join(posix.dirname(page), link), title };
  });

/** True if a test file, or a table of rows that it imports, has a title. */
function hasTest({ file, title }: { file: string; title: string }): boolean {
  if (title === '' || !file.endsWith('.test.ts')) return false;
  return [file, ...importedBy(file)].some((path) => textOf(path).includes(`'${title}'`));
}

/** The files that a file imports by a relative path, and those that these import. */
function importedBy(file: string, depth = 2): string[] {
  if (depth === 0) return [];
  const names = textOf(file).matchAll(/from '(\.[^']+)'/g);
  return [...names].flatMap(([, name = '']) => {
    const path = `${posix.join(posix.dirname(file), name)}.ts`;
    return [path, ...importedBy(path, depth - 1)];
  });
}

test('each attack of the page names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row) => !hasTest(row)).map(({ line }) => line)).toEqual([]);
});

test.each([
  ['test/system/authority/hostile.test.ts', 'an attack that nobody tests'],
  ['test/system/authority/nowhere.test.ts', 'no parts at all'],
  ['test/system/authority/hostile.test.ts', ''],
])('a test that does not exist is found: %s "%s"', (file, title) => {
  expect(hasTest({ file, title })).toBe(false);
});
