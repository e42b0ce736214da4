import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** The code blocks of a page in one language. */
export function codeIn(page: string, language: string): string[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms);
  return [...blocks].flatMap(([, said, code = '']) => (said === language ? code : []));
}
