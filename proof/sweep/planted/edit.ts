/** A small change of the product's source. Its text is there once, or the bug is out of date. */
export type Edit = { file: string; find: string; replace: string };

/** Edits the text of a file. Throws unless the text to replace is there exactly once. */
export function edited(text: string, { file, find, replace }: Edit): string {
  const count = text.split(find).length - 1;
  if (count === 1) return text.replace(find, () => replace);
  throw new Error(
    `${file}: has ${count} places that read "${find}". The code has changed. Update the planted bug.`,
  );
}
