import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Edit, edited } from '../sweep/planted/edit';

/** Modules of the product in one text, with a change in their source. Paths begin at the root. */
export async function bundled(
  files: readonly string[],
  edits: readonly Edit[],
  { root, ...how }: Pick<BuildOptions, 'alias'> & { root: string },
): Promise<string> {
  const contents = files.map((file) => `export * from './${file}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    ...how,
    plugins: [
      {
        name: 'plant',
        setup: ({ onLoad }) => {
          for (const edit of edits) {
            const path = join(root, edit.file);
            const filter = new RegExp(`${edit.file.replace('.', '[.]')}$`);
            const own = edits.filter(({ file }) => file === edit.file);
            onLoad({ filter }, () => ({
              contents: own.reduce(edited, readFileSync(path, 'utf8')),
              loader: 'ts',
            }));
          }
        },
      },
    ],
  });
  return outputFiles?.[0]?.text ?? '';
}
