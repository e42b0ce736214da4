import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { sendRefusal } from '../../activities/sendRefusal';
import * as finding from '../../workflows/write/finding';
import { firstState } from '../../workflows/write/firstState';
import * as state from '../../workflows/write/state';
import * as writeState from '../../workflows/write/writeState';
import { type Edit, edited } from '../sweep/planted/edit';
import type { Machine } from './world';

export const product: Machine = { ...state, ...writeState, ...finding, firstState, sendRefusal };

/** The product's rules with a change in their source. */
export async function machineWith(edits: readonly Edit[], root: string): Promise<Machine> {
  const contents = [
    "export * from './workflows/write/finding';",
    "export * from './workflows/write/state';",
    "export * from './workflows/write/writeState';",
    "export * from './workflows/write/firstState';",
    "export * from './activities/sendRefusal';",
  ].join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: 'cjs',
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
  const load = new Function('module', `${outputFiles[0]?.text ?? ''} return module.exports;`);
  const machine: Machine = load({ exports: {} });
  return machine;
}
