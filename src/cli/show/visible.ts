import { byNumber } from '../../orders/input/shown';
import { pc } from './colors';

/** Characters that control a terminal or reorder text. */
const obeyed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Colours, bold and dim, as our own lines have them. None of these hides or moves anything. */
const ownColors = String.raw`\u001b\[(?:1|2|22|3[1-6]|39)m`;
const obeyedButColors = new RegExp(`(${ownColors})|${obeyed.source}`, 'gu');

/**
 * Replaces control characters by their numbers. Otherwise an id or a reason could move the cursor,
 * forge a line or hide one.
 */
export function visible(text: string): string {
  return text.replace(obeyed, byNumber);
}

/** The same for a line of ours, which has colours where a terminal shows them. */
export function visibleLine(line: string, hasColors = pc.isColorSupported): string {
  if (!hasColors) return visible(line);
  return line.replace(obeyedButColors, (found, own) => own ?? byNumber(found));
}
