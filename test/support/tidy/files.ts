import { posix } from 'node:path';
import { importsOf } from './imports';
import { type Finding, isCode, read, type Source } from './source';

/** Programs: they are started, not imported. */
const entries = new RegExp(
  /^(src\/(cli\/main|demo|client)|workflows\/index|(bench|soak|sweep)\/main)\.ts$/.source +
    /|^scripts\/(start|test|dev|bench|soak|sweep|steadfast|build)\.js$/.source +
    /|^(test\/workflows\/record|docs\/screenshots\/take(Private)?)\.ts$/.source,
);
const startedByJest =
  /^test\/(.+\.test|support\/(globalSetup|globalTeardown|testEnvironment))\.ts$/;
/** Only the compiler reads these. */
const typeTests = /\.test-types\.ts$/;

/** Tests of everything together; every other test lies where what it is about lies. */
const wholes = /^test\/((e2e|conformance|traps)\/.+|tidy|compose|documents)\.test\.ts$/;

/** Code that nothing imports and nobody starts. */
export function checkDeadFiles(sources: readonly Source[]): Finding[] {
  const code = sources.filter(isCode);
  const targets = code.flatMap(importsOf).flatMap(({ target, isOurs }) => (isOurs ? [target] : []));
  const imported = new Set(targets.flatMap((target) => [target, posix.join(target, 'index')]));
  const isUsed = ({ path }: Source): boolean =>
    [entries, startedByJest, typeTests].some((pattern) => pattern.test(path)) ||
    imported.has(path.replace(/\.(ts|js)$/, ''));
  return code
    .filter((source) => !isUsed(source))
    .map(({ path }) => ({ path, line: 1, rule: 'Nothing imports this file: remove it.' }));
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
