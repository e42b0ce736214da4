/** An order's place in a trace. Pure data: workflows import it. */
export type TraceContext = { traceId: string; spanId: string };

/** The header in which Temporal's own interceptors, in every language, hand a trace on. */
export const traceHeader = '_tracer-data';

const traceparentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-0[01]$/;

/** Parses a W3C `traceparent`. Returns undefined when it is malformed. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  const [, traceId, spanId] = typeof text === 'string' ? (traceparentForm.exec(text) ?? []) : [];
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

/**
 * Reads the trace from Temporal's headers, with the converter of their reader. Returns undefined
 * when a header is malformed: a stranger's header must not stop an order.
 */
export function readHeaders<Payload>(
  headers: Readonly<Record<string, Payload>>,
  fromPayload: (payload: Payload) => { traceparent?: unknown } | undefined,
): TraceContext | undefined {
  const payload = headers[traceHeader];
  if (payload === undefined) return undefined;
  try {
    return readTraceparent(fromPayload(payload)?.traceparent);
  } catch {
    return undefined;
  }
}

/** Writes a W3C `traceparent`. Every trace is sampled. */
export function traceparent({ traceId, spanId }: TraceContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/**
 * The trace context of a run. It follows from the run's id, so every worker knows it and no history
 * keeps it. The trace is that of its starter, or one of its own.
 */
export function contextOfRun(runId: string, parent?: TraceContext): TraceContext {
  const digits = runId.replaceAll('-', '').toLowerCase();
  return { traceId: parent?.traceId ?? digits, spanId: digits.slice(16) };
}

/** A span that a workflow tells of when it ends. */
export type RunSpan = TraceContext & {
  parentSpanId?: string;
  startedAtMs: number;
  endedAtMs: number;
  /** The failure that it ended with. */
  failed?: string;
};
