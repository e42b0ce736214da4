/**
 * The words of a transaction's state, as the service writes them. Pure data: workflows import it.
 * Older pages spell some of them otherwise, and new words appear over time. So a reader must treat
 * any unknown word as "not final yet".
 */
const finalWords: Readonly<Record<string, FinalState>> = {
  COMPLETE: 'COMPLETE',
  COMPLETED: 'COMPLETE',
  FAILED: 'FAILED',
  DENIED: 'DENIED',
  CANCELLED: 'CANCELLED',
  CANCELED: 'CANCELLED',
};

export type FinalState = 'COMPLETE' | 'FAILED' | 'DENIED' | 'CANCELLED';

/** The final state that a word stands for, or undefined while the transaction can still change. */
export function finalState(word: string): FinalState | undefined {
  const upper = word.trim().toUpperCase();
  return Object.hasOwn(finalWords, upper) ? finalWords[upper] : undefined;
}

/** By this age of a transaction, in milliseconds, the notice of its end has come or is lost. */
export const noticeLatestMs = 25_000;
