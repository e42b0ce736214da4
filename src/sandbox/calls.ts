import type { FastifyRequest } from 'fastify';

/** One call that the service has answered. */
export type Call = {
  number: number;
  time: string;
  method: string;
  path: string;
  endpoint: string | undefined;
  /** The idempotency key, where the call carried one. */
  key: string | undefined;
  status: number;
  code: number | undefined;
  fault: string | undefined;
};

export type Calls = {
  note(
    request: FastifyRequest,
    outcome: { name?: string | undefined; status: number; code?: number },
  ): void;
  /** Calls with a number above `after`, oldest first. */
  after(number: number): Call[];
};

const keptMax = 10_000;

/** Remembers the latest calls, for tests and for whoever wonders what a client really sent. */
export function createCalls(): Calls {
  const kept: Call[] = [];
  let count = 0;
  return {
    note: (request, { name, status, code }) => {
      count += 1;
      kept.push({
        number: count,
        time: new Date().toISOString(),
        method: request.method,
        path: request.url,
        endpoint: name,
        key: keyOf(request.body),
        status,
        code,
        fault: undefined,
      });
      if (kept.length > keptMax) kept.shift();
    },
    after: (number) => kept.filter((call) => call.number > number),
  };
}

function keyOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('idempotencyKey' in body)) return undefined;
  return typeof body.idempotencyKey === 'string' ? body.idempotencyKey : undefined;
}
