import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { traceHeader, traceparent } from './traceContext';

/**
 * Begins the trace of an order where it is started, inside the caller's trace. It uses
 * OpenTelemetry's own API, so a backend sees its orders in its own traces. Without OpenTelemetry
 * nothing is sent.
 */
export const traceStarts: WorkflowClientInterceptor = {
  start: (input, next) => traced(input, next),
  startWithDetails: (input, next) => traced(input, next),
};

type Input = Parameters<NonNullable<WorkflowClientInterceptor['startWithDetails']>>[0];

async function traced<T>(input: Input, next: (input: Input) => Promise<T>): Promise<T> {
  const span = trace.getTracer('steadfast').startSpan(`start ${input.workflowType}`, {
    kind: SpanKind.CLIENT,
    attributes: { 'workflow.id': input.options.workflowId },
  });
  try {
    return await next({ ...input, headers: { ...input.headers, ...headerOf(span) } });
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
    throw error;
  } finally {
    span.end();
  }
}

/** None where nobody records. */
function headerOf(span: Span) {
  if (!span.isRecording()) return {};
  const carried = { traceparent: traceparent(span.spanContext()) };
  return { [traceHeader]: defaultPayloadConverter.toPayload(carried) };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'error';
}
