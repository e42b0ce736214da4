import { posix } from 'node:path';
import { type Finding, read, type Source } from './source';

/** Tests of everything together; every other test lies where what it is about lies. */
const wholes = /^test\/(system\/.+|tidy\/.+)\.test\.ts$/;

/** A folder is a room that can be seen at one look. */
const folderFilesMax = 16;

/** Folders that hold more files of their own than a person takes in at one look. */
export function checkFolders(paths: readonly string[]): Finding[] {
  const rooms = /^(src|workflows|activities|sandbox|proof|bench|scripts|test)\//;
  const notCode = /^test\/workflows\/histories\//;
  const counts = new Map<string, number>();
  for (const path of paths.filter((one) => rooms.test(one) && !notCode.test(one))) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > folderFilesMax)
    .map(([path, count]) => ({
      path,
      line: 1,
      rule: `A folder has at most ${folderFilesMax} files of its own, not ${count}: divide it.`,
    }));
}

/** Tests that are neither named after a file of ours nor in the folder of one. */
export function checkTestNames(paths: readonly string[]): Finding[] {
  const subjects = new Set(paths.flatMap((path) => withFolders(path.replace(/\.\w+$/, ''))));
  const isAbout = (subject: string): boolean =>
    subjects.has(subject) || subjects.has(`src/${subject}`);
  return paths
    .filter((path) => path.startsWith('test/') && path.endsWith('.test.ts') && !wholes.test(path))
    .filter((path) => {
      const subject = path.slice('test/'.length, -'.test.ts'.length);
      return !isAbout(subject) && !isAbout(posix.dirname(subject));
    })
    .map((path) => ({ path, line: 1, rule: 'A test lies where the file lies that it is about.' }));
}

function withFolders(path: string): string[] {
  return path === '.' ? [] : [path, ...withFolders(posix.dirname(path))];
}

const text = /\.(ts|js|json|md|ya?ml|sol|csv|sql|html|css|toml)$|^(\.[^/]+|Dockerfile|\.ci\/run)$/;

/** The files whose text is ours. */
export function readTexts(paths: readonly string[]): Source[] {
  return paths.filter((path) => text.test(path)).map(read);
}
