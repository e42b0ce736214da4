import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One file of the repository, by its path from the root. */
export type Source = { path: string; text: string };

/** A breach of a rule: where it is, and what it breaks, as a sentence. */
export type Finding = { path: string; line: number; rule: string };

export const root = join(__dirname, '..', '..');

/** Every file that is committed, or would be if everything were. */
export function repositoryPaths(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return [...new Set(listed)].filter((path) => path !== '' && existsSync(join(root, path)));
}

export function read(path: string): Source {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

export function sizeOf(path: string): number {
  return statSync(join(root, path)).size;
}

const parsed = new Map<string, ts.SourceFile>();

export function parse({ path, text }: Source): ts.SourceFile {
  const known = parsed.get(path);
  if (known?.text === text) return known;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  parsed.set(path, tree);
  return tree;
}

/** Calls back for the node and everything in it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** Findings as a reader wants them: a line to click, and the rule. */
export function show(findings: readonly Finding[]): string {
  return findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`).join('\n');
}

export function isCode({ path }: Pick<Source, 'path'>): boolean {
  return /\.(ts|js)$/.test(path);
}
