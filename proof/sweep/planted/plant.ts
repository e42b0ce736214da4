import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bug } from './bugs';
import { edited } from './edit';

/** The folders and files of a worker. */
const parts = [
  'src',
  'sandbox',
  'workflows',
  'activities',
  'scripts',
  'package.json',
  'tsconfig.json',
];

/** Copies the product into a folder that is not there yet, and plants a bug in the copy. */
export function plant(
  bug: Pick<Bug, 'edits'>,
  { root, folder }: { root: string; folder: string },
): void {
  mkdirSync(folder);
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'));
  for (const edit of bug.edits) {
    const file = join(folder, edit.file);
    writeFileSync(file, edited(readFileSync(file, 'utf8'), edit));
  }
}
