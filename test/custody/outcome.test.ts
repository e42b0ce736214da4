import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnexpectedAnswerError,
} from '../../src/custody/errors';
import { type AttemptedCall, type Outcome, outcomeOf } from '../../src/custody/outcome';

const again: Outcome = { effect: 'none', next: 'again' };
const ambiguous: Outcome = { effect: 'unknown', next: 'again' };
const waiting: Outcome = { ...again, afterMs: 2_000 };
const stop: Outcome = { effect: 'none', next: 'stop' };
const lookUp: Outcome = { effect: 'unknown', next: 'lookUp' };
const mendSecret: Outcome = {
  effect: 'none',
  next: 'operator',
  mend: expect.stringContaining('CUSTODY_ENTITY_SECRET'),
};
const noRoom: Outcome = { ...stop, mend: expect.stringContaining('None can be deleted') };
const mendKey: Outcome = {
  effect: 'none',
  next: 'operator',
  mend: expect.stringContaining('CUSTODY_API_KEY'),
};

const mendService: Outcome = {
  effect: 'none',
  next: 'operator',
  mend: expect.stringContaining('CUSTODY_BASE_URL'),
};

const read: AttemptedCall = { write: false, attempt: 1 };
const write: AttemptedCall = { write: true, attempt: 1 };

type Row = [what: string, error: Error, onRead: Outcome, onWrite: Outcome];

const table: Row[] = [
  ['nothing was sent', new NotSentError('refused'), again, again],
  ['no answer came', new NoAnswerError('time-out'), ambiguous, ambiguous],
  ...[301, 408, 409, 425, 500, 502, 503, 599].map(
    (status): Row => [`${status} in the service's form`, refused(status), ambiguous, ambiguous],
  ),
  ...[302, 400, 404, 408, 409, 425, 500, 503].map(
    (status): Row => [`${status} in no form`, unexpected(status), ambiguous, ambiguous],
  ),
  ['2xx that does not parse', unexpected(200), ambiguous, ambiguous],
  ['429', refused(429), again, again],
  ['429 with Retry-After', refused(429, 429, 7_000), after(7_000), after(7_000)],
  ['429 of a proxy, with Retry-After', unexpected(429, 7_000), after(7_000), after(7_000)],
  [
    '503 with Retry-After',
    unexpected(503, 7_000),
    { ...ambiguous, afterMs: 7_000 },
    { ...ambiguous, afterMs: 7_000 },
  ],
  ...[155264, 155505, 177026, 177303].map(
    (code): Row => [`${code}, the wallet is busy`, refused(400, code), waiting, waiting],
  ),
  ...[156004, 177602].map(
    (code): Row => [`${code}, the ciphertext was used`, refused(400, code), ambiguous, ambiguous],
  ),
  ...[156013, 177604].map(
    (code): Row => [`${code}, the secret is invalid`, refused(400, code), mendSecret, mendSecret],
  ),
  ['156020, the key is taken', refused(403, 156020), lookUp, lookUp],
  ['175403, the key is taken', refused(409, 175403), lookUp, lookUp],
  ['177607, the key is taken', refused(400, 177607), lookUp, lookUp],
  ['155501, the wallet is frozen', refused(409, 155501), stop, stop],
  ['155502, no room for another', refused(403, 155502), noRoom, noRoom],
  ['401', refused(401), mendKey, mendKey],
  ['401 with a code of its own', refused(401, 156007), mendKey, mendKey],
  ['403', refused(403, 3), mendKey, mendKey],
  ['404', refused(404, 156003), stop, stop],
  ['400', refused(400, 2), stop, stop],
  ['422', refused(422), stop, stop],
  ['an error of our own', new TypeError('a fault'), ambiguous, ambiguous],
  // The code is the service's own word, so it comes before the status that carries it.
  ['a busy wallet behind a 500', refused(500, 155264), waiting, waiting],
  ['a busy wallet behind a 403', refused(403, 155505), waiting, waiting],
  ['a used ciphertext behind a 429', refused(429, 156004), ambiguous, ambiguous],
];

const circumstances: [what: string, error: Error, call: AttemptedCall, outcome: Outcome][] = [
  ['404 on what was accepted a moment ago', refused(404), { ...read, young: true }, again],
  ['404 on what was accepted long ago', refused(404), { ...read, young: false }, stop],
  ['404 on a write, whatever its age', refused(404), { ...write, young: true }, stop],
  ['an unparsable answer to a read, once', unexpected(200), { ...read, attempt: 1 }, ambiguous],
  ['an unparsable answer to a read, twice', unexpected(200), { ...read, attempt: 2 }, mendService],
  ['an unparsable answer to a write, twice', unexpected(201), { ...write, attempt: 2 }, ambiguous],
  ['a proxy page on a read, twice', unexpected(502), { ...read, attempt: 2 }, ambiguous],
];

describe('the outcome of a failed try', () => {
  const rows = [
    ...table.flatMap(([what, error, onRead, onWrite]): typeof circumstances => [
      [`${what}, on a read`, error, read, onRead],
      [`${what}, on a write`, error, write, onWrite],
    ]),
    ...circumstances,
  ];

  it.each(rows)('%s', (_what, error, call, outcome) => {
    const { afterMs, ...decided } = outcomeOf(error, call);
    expect({ ...decided, afterMs }).toEqual({ afterMs: undefined, ...outcome });
  });
});

function after(afterMs: number): Outcome {
  return { ...again, afterMs };
}

function refused(status: number, code = status, retryAfterMs?: number): RefusedError {
  return new RefusedError('refused', { status, code, retryAfterMs });
}

function unexpected(status: number, retryAfterMs?: number): UnexpectedAnswerError {
  return new UnexpectedAnswerError('unexpected', { status, retryAfterMs });
}
