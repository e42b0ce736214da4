import {
  ApplicationFailure,
  ContinueAsNew,
  defaultPayloadConverter,
  proxySinks,
  type Sinks,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import {
  contextOfRun,
  type RunSpan,
  readHeaders,
  type TraceContext,
  traceHeader,
  traceparent,
} from '../../src/telemetry/traceContext';

/** Sink for a run's span at its end. Every worker has it, so that none complains. */
export type TraceSinks = Sinks & { traces: { ended(span: RunSpan): void } };

const { traces } = proxySinks<TraceSinks>();

/**
 * Hands the order's trace to its activities and its other runs. Headers are not encrypted, so they
 * carry two ids and nothing else. An order without a trace has no headers, and its history is the
 * same as without this interceptor.
 */
export function traced(): WorkflowInterceptors {
  let parent: TraceContext | undefined;
  const handOn = <Input extends { headers: Headers }>(input: Input): Input => {
    if (parent === undefined) return input;
    const own = traceparent(contextOfRun(workflowInfo().runId, parent));
    const payload = defaultPayloadConverter.toPayload({ traceparent: own });
    return { ...input, headers: { ...input.headers, [traceHeader]: payload } };
  };
  return {
    inbound: [
      {
        execute: async (input, next) => {
          parent = readHeaders(input.headers, (carried) =>
            defaultPayloadConverter.fromPayload(carried),
          );
          try {
            const result = await next(input);
            end(parent);
            return result;
          } catch (error) {
            end(parent, error);
            throw error;
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(handOn(input)),
        scheduleLocalActivity: (input, next) => next(handOn(input)),
        startChildWorkflowExecution: (input, next) => next(handOn(input)),
        continueAsNew: (input, next) => next(handOn(input)),
      },
    ],
  };
}

type Headers = Record<string, Parameters<typeof defaultPayloadConverter.fromPayload>[0]>;

function end(parent: TraceContext | undefined, error?: unknown): void {
  const { runId, runStartTime, unsafe } = workflowInfo();
  // A replay need not have our sinks.
  if (unsafe.isReplaying) return;
  const isFailed = error !== undefined && !(error instanceof ContinueAsNew);
  traces.ended({
    ...contextOfRun(runId, parent),
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    startedAtMs: runStartTime.getTime(),
    endedAtMs: Date.now(),
    ...(isFailed ? { failed: error instanceof ApplicationFailure ? (error.type ?? '') : '' } : {}),
  });
}
