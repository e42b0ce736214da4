import { byNumber } from '../../orders/input/shown';

/** Characters that control a terminal or reorder text. */
const obeyed = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Replaces control characters by their numbers. Otherwise an id or a reason could move the cursor,
 * forge a line or hide one.
 */
export function visible(text: string): string {
  return text.replace(obeyed, byNumber);
}
