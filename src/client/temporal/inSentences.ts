import { isGrpcServiceError } from '@temporalio/client';
import { SentenceError } from '../../orders/input/sentenceError';
import { temporalFault } from './temporalFault';

/** Temporal did not answer, or refused the call. The request may have been carried out. */
export class TemporalError extends SentenceError {
  override readonly name = 'TemporalError';
}

/** Makes a call of Temporal that waits for no order. */
export type Within = <Made>(call: () => Promise<Made>) => Promise<Made>;

/** The place that a client asks, and the time that a call has there. */
type Asking = {
  /** The address of Temporal. */
  place: string;
  within: Within;
};

/** The calls that may take as long as an order, or as many lines, do. */
const long: readonly string[] = [
  ...(['execute', 'receipt', 'payout', 'payoutLines', 'retry', 'continue'] as const),
  ...(['backfill', 'close'] as const),
];

/** A client, or an order of it, whose errors of the connection are sentences. */
export function inSentences<Parts extends object>(parts: Parts, asking: Asking): Parts {
  const told = Object.entries(parts).map(([name, part]) => [name, toldPart(name, part, asking)]);
  return Object.assign(Object.create(Object.getPrototypeOf(parts)), Object.fromEntries(told));
}

function toldPart(name: string, part: unknown, asking: Asking): unknown {
  if (typeof part === 'function') {
    return (...given: unknown[]) => {
      const call = (): unknown => part(...given);
      const made: unknown = long.includes(name) ? call() : asking.within(async () => call());
      if (isIterable(made)) return toldItems(made, asking);
      // A started order has functions of its own, such as `receipt`.
      return made instanceof Promise ? toldResult(made, asking) : made;
    };
  }
  const isGroup = typeof part === 'object' && part !== null;
  return isGroup && Object.values(part).some((one) => typeof one === 'function')
    ? inSentences(part, asking)
    : part;
}

async function toldResult(made: Promise<unknown>, asking: Asking): Promise<unknown> {
  try {
    return toldPart('', await made, asking);
  } catch (error) {
    return fail(error, asking.place);
  }
}

function isIterable(made: unknown): made is AsyncIterable<unknown> {
  return typeof made === 'object' && made !== null && Symbol.asyncIterator in made;
}

async function* toldItems(items: AsyncIterable<unknown>, { place }: Asking) {
  try {
    yield* items;
  } catch (error) {
    fail(error, place);
  }
}

function fail(error: unknown, place: string): never {
  const words = wordsOf(error, place);
  throw words === undefined ? error : new TemporalError(words, { cause: error });
}

function wordsOf(error: unknown, place: string): string | undefined {
  const fault = temporalFault(error);
  if (fault !== undefined) return fault;
  const found = serviceErrorOf(error);
  if (found === undefined) return undefined;
  const reason = found.message.replace(/^\d+ [A-Z_]+: /, '').replace(/\.$/, '');
  return (
    `Temporal did not answer at ${place} (TEMPORAL_ADDRESS): ${reason}. The request may have ` +
    'been carried out. Ask again under the same id, which never pays twice.'
  );
}

/** The error of gRPC in a failure. The client of Temporal wraps it in an error of its own. */
export function serviceErrorOf(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return isGrpcServiceError(error) ? error : serviceErrorOf(error.cause);
}
