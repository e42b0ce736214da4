import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type HrTime,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import type { TracesConfig } from './config';
import type { RunSpan, TraceContext } from './traceContext';

export type Beginning = {
  name: string;
  kind: 'client' | 'server' | 'internal';
  /** Nothing secret, no amounts and no addresses. A reader of traces need not see those. */
  attributes: Attributes;
  parent?: TraceContext | undefined;
};

/** The spans of one process. */
export type Traces = {
  begin(beginning: Beginning): Span;
  /** The span of a workflow's run, which no process is there for from beginning to end. */
  tell(run: RunSpan & { name: string; attributes: Attributes }): void;
  /** Sends what has not been sent, for some seconds at most. */
  stop(): Promise<void>;
};

const kinds = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
} as const;
const stopMs = 3_000;
const library = { name: 'steadfast' };

/** Sends spans to a collector by OTLP over HTTP. Spans that cannot be sent are dropped. */
export function startTraces({ url, headers, serviceName }: TracesConfig): Traces {
  const resource = new Resource({ 'service.name': serviceName });
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: stopMs });
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer(library.name);
  return {
    begin: ({ name, kind, attributes, parent }) => {
      const context = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
      return tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    },
    tell: (run) => processor.onEnd(spanOf(run, resource)),
    stop: async () => {
      const stopped = provider.shutdown().catch(() => {});
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, stopMs).unref())]);
    },
  };
}

function contextOf(parent: TraceContext) {
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: 1, isRemote: true });
}

const current = new AsyncLocalStorage<TraceContext>();

/** Runs something within a span: what it calls belongs under it. */
export function within<T>(span: Span, call: () => T): T {
  return current.run(span.spanContext(), call);
}

/** The span that something runs within, if there is one. */
export function currentContext(): TraceContext | undefined {
  return current.getStore();
}

/** Ends a span: with a short word for what went wrong, where something did. */
export function endSpan(span: Span, fault?: string): void {
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
  span.end();
}

/** OpenTelemetry's tracers give no span an id of one's choice. */
function spanOf(run: Parameters<Traces['tell']>[0], resource: Resource): ReadableSpan {
  const { traceId, spanId, parentSpanId, failed } = run;
  return {
    name: run.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    startTime: hrTime(run.startedAtMs),
    endTime: hrTime(run.endedAtMs),
    duration: hrTime(run.endedAtMs - run.startedAtMs),
    status:
      failed === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: failed },
    attributes: run.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationLibrary: library,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function hrTime(ms: number): HrTime {
  return [Math.trunc(ms / 1_000), Math.trunc((ms % 1_000) * 1e6)];
}
