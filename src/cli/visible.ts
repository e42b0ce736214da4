import { byNumber } from '../orders/shown';

/** What a terminal obeys or reorders text by; what only colours a line is left. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const obeyed = /(?!\x1b\[\d+m)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text on one line of a terminal: what would move its cursor, forge a line or hide one is shown
 * by its number. Ids, references and reasons may come from any starter in any language.
 */
export function visible(text: string): string {
  return text.replace(obeyed, byNumber);
}
