import type { Info } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure, defaultPayloadConverter } from '@temporalio/common';
import type { InjectedSinks, WorkerOptions } from '@temporalio/worker';
import type { TraceSinks } from '../../workflows/order/trace';
import type { Meter } from './meter';
import { contextOfRun, readHeaders, type TraceContext } from './traceContext';
import { endSpan, type Traces, within } from './traces';

/** Options for a worker, so that its tasks are counted and traced. */
export type Observing = Required<Pick<WorkerOptions, 'interceptors' | 'sinks'>>;

/** Counts and times every try of an activity, and traces it where there are traces. */
export function observeWorkers({
  meter,
  traces,
}: {
  meter: Meter;
  traces: Traces | undefined;
}): Observing {
  return {
    interceptors: {
      activity: [
        ({ info }) => ({
          inbound: {
            execute: async (input, next) => {
              // A first try is due when it is scheduled, a later one when its backoff is over.
              const waitedMs = Date.now() - info.currentAttemptScheduledTimestampMs;
              meter.observe('steadfast_queue_wait_seconds', waitedMs / 1_000, {
                queue: info.taskQueue.endsWith('-writes') ? 'writes' : 'reads',
              });
              const span = traces?.begin({
                name: `activity ${info.activityType}`,
                kind: 'internal',
                attributes: attributesOf(info),
                parent: parentOf(info, input.headers),
              });
              const call = () => next(input);
              try {
                const result = await (span === undefined ? call() : within(span, call));
                count(meter, info, { outcome: 'done', ambiguous: 'no' });
                if (span !== undefined) endSpan(span);
                return result;
              } catch (error) {
                const came = endOf(error);
                count(meter, info, came);
                if (span !== undefined) endSpan(span, came.outcome);
                throw error;
              }
            },
          },
        }),
      ],
    },
    sinks: traceSinks(traces),
  };
}

/** Receives the spans of workflows. Without traces it drops them. */
export function traceSinks(traces?: Traces): InjectedSinks<TraceSinks> {
  return {
    traces: {
      ended: {
        fn: ({ workflowId, runId, workflowType }, span) =>
          traces?.tell({
            ...span,
            name: `workflow ${workflowType}`,
            attributes: { 'workflow.id': workflowId, 'workflow.run_id': runId },
          }),
      },
    },
  };
}

function count(meter: Meter, { activityType }: Info, came: ReturnType<typeof endOf>): void {
  meter.count('steadfast_tries_total', { activity: activityType, ...came });
}

const outcomes: Record<string, string> = {
  Refused: 'refused',
  Unknown: 'unknown',
  NeedsOperator: 'operator',
};

function endOf(error: unknown): { outcome: string; ambiguous: 'yes' | 'no' } {
  if (error instanceof CancelledFailure) return { outcome: 'cancelled', ambiguous: 'no' };
  if (!(error instanceof ApplicationFailure)) return { outcome: 'again', ambiguous: 'no' };
  const details: unknown = error.details?.[0];
  const isAmbiguous =
    typeof details === 'object' &&
    details !== null &&
    'ambiguous' in details &&
    details.ambiguous === true;
  return { outcome: outcomes[error.type ?? ''] ?? 'again', ambiguous: isAmbiguous ? 'yes' : 'no' };
}

function attributesOf(info: Info) {
  const { workflowId, runId } = info.workflowExecution ?? {};
  return {
    ...(workflowId === undefined ? {} : { 'workflow.id': workflowId }),
    ...(runId === undefined ? {} : { 'workflow.run_id': runId }),
    attempt: info.attempt,
  };
}

/** The run that has asked for it: as its headers say, or as follows from its id. */
function parentOf(
  { workflowExecution }: Info,
  headers: Record<string, Parameters<typeof defaultPayloadConverter.fromPayload>[0]>,
): TraceContext | undefined {
  const own = workflowExecution === undefined ? undefined : contextOfRun(workflowExecution.runId);
  return readHeaders(headers, (carried) => defaultPayloadConverter.fromPayload(carried)) ?? own;
}
