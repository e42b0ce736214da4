import { SentenceError } from '../../orders/input/sentenceError';

/** Temporal or the service cannot be reached. Nothing was asked of it. */
export class UnreachableError extends SentenceError {
  override readonly name = 'UnreachableError';
}
