import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(__dirname, '../../../../docs/parity.md');

/**
 * Compares a table with the one between the marks of its name on the page on parity. With
 * WRITE_PARITY=1 it is written there instead.
 */
export function holdTable(name: string, [head, ...rows]: readonly (readonly string[])[]): void {
  const lines = [head ?? [], (head ?? []).map(() => '---'), ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const text = readFileSync(page, 'utf8');
  const written = withTable(text, name, table);
  if (process.env.WRITE_PARITY === '1') writeFileSync(page, written);
  else expect(text).toBe(written);
}

function withTable(text: string, name: string, table: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = text.split(start);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`docs/parity.md has no place for ${start} … ${end}.`);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}
