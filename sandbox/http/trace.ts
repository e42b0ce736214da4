import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TracesConfig } from '../../src/telemetry/config';
import { readTraceparent } from '../../src/telemetry/traceContext';
import { endSpan, startTraces, type Traces } from '../../src/telemetry/traces';

/** Traces of the calls that a server takes. */
export type CallTraces = { follow(server: FastifyInstance): void; stop(): Promise<void> };

/** Sends spans to where the configuration says. */
export function startCallTraces(config: TracesConfig): CallTraces {
  const traces = startTraces(config);
  return { follow: (server) => followCalls(server, traces), stop: traces.stop };
}

/** Goes on with the trace of each call that is in one: a span from its first byte to its answer. */
function followCalls(server: FastifyInstance, traces: Traces): void {
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
