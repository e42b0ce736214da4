import { SentenceError } from '../orders/input/sentenceError';

/** A question about the books cannot be answered as it is asked. The message says what to change. */
export class StatementError extends SentenceError {
  override readonly name = 'StatementError';
}

/** The node does not answer now. Its answers before may be true all the same. */
export class UntoldError extends StatementError {}

/** A day is not over on the chain, so it cannot be closed yet. */
export class NotOverError extends StatementError {}

/** The account has no such wallet. */
export class NoWalletError extends StatementError {}

/** The archive belongs to another account. */
export class OtherAccountError extends StatementError {}

/** Balances and movements do not add up. The message says where, and by how much. */
export class DifferenceError extends SentenceError {
  override readonly name = 'DifferenceError';
}
