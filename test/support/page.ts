import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** The code that a page shows in a language, block by block. */
export function codeIn(page: string, language: string): string[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms);
  return [...blocks].flatMap(([, said, code = '']) => (said === language ? code : []));
}
