import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bug, Edit } from './bugs';

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

/** Edits the text of a file. Throws unless the text to replace is there exactly once. */
export function edited(text: string, { file, find, replace }: Edit): string {
  const count = text.split(find).length - 1;
  if (count === 1) return text.replace(find, () => replace);
  throw new Error(
    `${file}: has ${count} places that read "${find}". The code has changed. Update the planted bug.`,
  );
}
