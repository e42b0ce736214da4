import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from '../../src/orders/jsonSchemas';

/** Where other languages find the schemas. */
export const folder = join(__dirname, '..', '..', 'docs', 'schemas');

/** The text of every schema's file, by its name. */
export function schemaFiles(): Record<string, string> {
  const files = Object.entries(jsonSchemas());
  return Object.fromEntries(
    files.map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]),
  );
}

if (require.main === module) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(schemaFiles())) writeFileSync(join(folder, name), text);
}
