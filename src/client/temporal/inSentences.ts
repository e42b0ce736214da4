import { isGrpcServiceError } from '@temporalio/client';
import { SentenceError } from '../../orders/input/sentenceError';
import { temporalFault } from './temporalFault';

/** Temporal did not answer, or refused the call. What was asked for may have been done. */
export class TemporalError extends SentenceError {
  override readonly name = 'TemporalError';
}

/** A client, or an order of it, whose errors of the connection are sentences. */
export function inSentences<Parts extends object>(parts: Parts): Parts {
  const told = Object.entries(parts).map(([name, part]) => [name, toldPart(part)]);
  return Object.assign(Object.create(Object.getPrototypeOf(parts)), Object.fromEntries(told));
}

function toldPart(part: unknown): unknown {
  if (typeof part === 'function') {
    return (...given: unknown[]) => {
      const made: unknown = part(...given);
      return made instanceof Promise ? made.then(toldOrder, fail) : made;
    };
  }
  const isGroup = typeof part === 'object' && part !== null;
  return isGroup && Object.values(part).some((one) => typeof one === 'function')
    ? inSentences(part)
    : part;
}

/** A started order has functions of its own, such as `receipt`. */
const toldOrder = (made: unknown): unknown => toldPart(made);

function fail(error: unknown): never {
  const words = wordsOf(error);
  throw words === undefined ? error : new TemporalError(words, { cause: error });
}

function wordsOf(error: unknown): string | undefined {
  const fault = temporalFault(error);
  if (fault !== undefined) return fault;
  const found = serviceErrorOf(error);
  if (found === undefined) return undefined;
  const reason = found.message.replace(/^\d+ [A-Z_]+: /, '').replace(/\.$/, '');
  return (
    `Temporal did not answer: ${reason}. What was asked for may have been done. Ask again under ` +
    'the same id, which never pays twice.'
  );
}

/** The error of gRPC in a failure. The client of Temporal wraps it in an error of its own. */
export function serviceErrorOf(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return isGrpcServiceError(error) ? error : serviceErrorOf(error.cause);
}
