import type { FastifyRequest } from 'fastify';
import { isRecord } from '../../src/custody/isRecord';

/** The facts of a call that its request does not tell. */
type Noted = {
  endpoint?: string | undefined;
  /** The call's status, even if the client was not told. None while nothing was done. */
  status?: number | undefined;
  code?: number | undefined;
  /** The names of fields that were ignored, since the interface does not have them. */
  ignored?: readonly string[] | undefined;
  /** The kind of the fault rule that hit it, such as "loseAnswer+stuck". */
  fault?: string | undefined;
};

/** One call that the service has dealt with. */
type Call = Noted & {
  number: number;
  time: string;
  method: string;
  /** The beginning of a long one, as with the key. */
  path: string;
  /** The idempotency key, where the call carried one. */
  key: string | undefined;
};

export type Calls = ReturnType<typeof createCalls>;

const keptMax = 10_000;
/** The most that is kept of a text whose length a client chooses. */
const keyCharactersMax = 100;
const pathCharactersMax = 2_000;

/** Remembers the latest calls, for tests and for whoever wonders what a client really sent. */
export function createCalls() {
  const kept: Call[] = [];
  let count = 0;
  return {
    /** The entry may still be completed: some calls are carried out after their connection. */
    note: (request: FastifyRequest, noted: Noted): Call => {
      count += 1;
      const call = {
        number: count,
        time: new Date().toISOString(),
        method: request.method,
        path: request.url.slice(0, pathCharactersMax),
        key: keyOf(request.body)?.slice(0, keyCharactersMax),
        ...noted,
      };
      kept.push(call);
      if (kept.length > keptMax) kept.shift();
      return call;
    },
    /** Calls with a number above `after`, oldest first. */
    after: (number: number): Call[] => kept.filter((call) => call.number > number),
  };
}

/** The idempotency key in a body, if it has one. */
export function keyOf(body: unknown): string | undefined {
  if (!isRecord(body) || typeof body.idempotencyKey !== 'string') return undefined;
  return body.idempotencyKey;
}
