import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { archivedReceipt } from '../../src/books/receipt';
import { jsonSchemas } from '../../src/orders/jsonSchemas';
import { kindOf, orderKinds, readOrderOf } from '../../src/orders/kinds';
import { policyJsonSchema } from '../../src/writer/file/schema';

const docs = join(__dirname, '..', '..', 'docs');

/** The folder in which other languages find the schemas. */
export const folder = join(docs, 'schemas');

/** The text of every schema's file, by its name. */
export function schemaFiles(): Record<string, string> {
  const title = 'A receipt as the archive keeps it';
  const files = Object.entries({
    ...jsonSchemas(),
    'policy.json': policyJsonSchema(),
    'archivedReceipt.json': { title, ...z.toJSONSchema(archivedReceipt) },
  });
  return Object.fromEntries(
    files.map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]),
  );
}

/** The tables of the docs that follow from the kinds of order, by page and header. */
const tables: readonly { page: string; header: string; rows: () => string[] }[] = [
  {
    page: join(docs, 'reference', 'workflows.md'),
    header: '| workflow | does | order | receipt | [CLI](cli.md) |',
    rows: () =>
      orderKinds.map((kind) => {
        const [order, receipt] = ['order', 'receipt'].map(
          (part) => `[${part}](../schemas/${kind}.${part}.json)`,
        );
        const { does, idWord } = kindOf(kind);
        return `| \`${kind}\` | ${does} | ${order} | ${receipt} | \`${idWord}\` |`;
      }),
  },
  {
    page: join(docs, 'explanation', 'keys.md'),
    header: '| workflow | writes, as `<step>/<item>` |',
    rows: () =>
      orderKinds.map((kind) => {
        const { example, writes, manyWrites } = kindOf(kind);
        const paths = writes(readOrderOf(kind, example), {}).map(({ path }) => path);
        const told = (manyWrites === undefined ? paths : [manyWrites]).map((path) => `\`${path}\``);
        return `| \`${kind}\` | ${told.join(', ')} |`;
      }),
  },
];

/** Each page as it is, and with its table as it should be. */
export function derivedPages(): { page: string; is: string; should: string }[] {
  return tables.map(({ page, header, rows }) => {
    const is = readFileSync(page, 'utf8');
    const [before = '', after = ''] = is.split(`${header}\n`);
    const rest = after.replace(/^(\|.*\n)*/, '');
    const rule = `${header.replace(/[^|]+/g, '---')}\n`;
    const lines = rows().map((row) => `${row}\n`);
    return { page, is, should: `${before}${header}\n${rule}${lines.join('')}${rest}` };
  });
}

if (require.main === module) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(schemaFiles())) writeFileSync(join(folder, name), text);
  for (const { page, should } of derivedPages()) writeFileSync(page, should);
}
