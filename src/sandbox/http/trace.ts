import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readTraceparent } from '../../telemetry/traceContext';
import { endSpan, type Traces } from '../../telemetry/traces';

/** Goes on with the trace of each call that is in one: a span from its first byte to its answer. */
export function traceCalls(server: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', async (request) => {
    const { method, url = 'unknown' } = request.routeOptions;
    const parent = readTraceparent(request.headers.traceparent);
    const name = `${Array.isArray(method) ? request.method : method} ${url}`;
    const attributes = { 'http.request.method': request.method, 'http.route': url };
    spans.set(request, traces.begin({ name, kind: 'server', parent, attributes }));
  });
  server.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    if (span === undefined) return;
    span.setAttribute('http.response.status_code', reply.statusCode);
    span.setAttribute('request.id', String(reply.getHeader('x-request-id') ?? ''));
    endSpan(span, reply.statusCode >= 500 ? 'serverError' : undefined);
  });
  server.addHook('onRequestAbort', async (request) => {
    const span = spans.get(request);
    if (span !== undefined) endSpan(span, 'aborted');
  });
}
