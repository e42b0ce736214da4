import { SentenceError } from '../orders/input/sentenceError';

/** A question about the books cannot be answered as it is asked. The message says what to change. */
export class StatementError extends SentenceError {
  override readonly name = 'StatementError';
}

/** Balances and movements do not add up. The message says where, and by how much. */
export class DifferenceError extends SentenceError {
  override readonly name = 'DifferenceError';
}
