import type { LightMyRequestResponse } from 'fastify';

/** An answer of a console: of its server in the test, or of its process. */
export type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'body' | 'json'>;

type Headers = Record<string, string>;

/** A console that is asked as its own pages ask it. */
export type Visited = {
  ask(path: string, how?: { headers?: Headers }): Promise<Answer>;
  post(path: string, body: object, headers?: Headers): Promise<Answer>;
};
