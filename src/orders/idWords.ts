import { kinds, orderKinds } from './kinds';

/** The words that ids usually begin with, such as "payout" of "payout:january". */
export const idWords: readonly string[] = [
  ...new Set(orderKinds.map((kind) => kinds[kind].idWord)),
];

/** The ids that a name without its word may stand for. None for a name that has a colon. */
export function idsOf(name: string): string[] {
  return name.includes(':') ? [] : idWords.map((word) => `${word}:${name}`);
}
