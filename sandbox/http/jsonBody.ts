import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/errors';
import { isDeeper } from '../handlers/json';

/**
 * Bodies are JSON and nothing else: UTF-8 without a fault, no deeper than any call needs, and
 * without keys that reach for an object's prototype.
 */
export function readJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      // The vendor's SDKs name a type for every call, also where they send no body with it.
      if (request.method !== 'POST' && bytes.length === 0) return done(null, undefined);
      try {
        parse(request, utf8.decode(bytes), (error, body) => {
          if (error === null && isDeeper(body)) done(invalidEntity());
          else done(error, body);
        });
      } catch {
        done(invalidEntity());
      }
    },
  );
}

/** The refusal of bytes that are no body at all. */
export function invalidEntity(): ApiError {
  return new ApiError('Invalid Entity', { status: 400, code: 2 });
}
