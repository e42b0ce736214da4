import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '..', 'docs');
const page = join(docs, 'performance.md');
const end = '<!-- end of what was measured -->';

/** The path of a file in `docs/`. */
export function inDocs(name: string): string {
  return join(docs, name);
}

/** Reads results. Empty when the file does not exist. */
export function readResults<Results>(path: string): Partial<Results> {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

export function writeResults(path: string, results: object): void {
  writeFileSync(path, `${JSON.stringify(results, rounded, 2)}\n`);
}

/** Rounds to three digits after the point, so that small differences make no change in the file. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
}

/** Replaces what a bench has measured in the page of performance. */
export function writePage(bench: string, parts: readonly string[]): void {
  const begin = `<!-- measured: written by npm run bench -- ${bench} --docs -->`;
  const text = readFileSync(page, 'utf8');
  const [before, ...others] = text.split(begin);
  const rest = others.join(begin);
  const at = rest.indexOf(end);
  if (others.length === 0 || at === -1) {
    throw new Error(`${page} has lost the lines "${begin}" and "${end}". Put them back.`);
  }
  writeFileSync(page, `${before}${begin}\n\n${parts.join('\n\n')}\n\n${rest.slice(at)}`);
}
