import type { WorkflowInternalsInterceptor } from '@temporalio/workflow';

/**
 * Keeps a workflow in step with its history. A worker that has just started answers a query by a
 * replay. It gets all events then, also those with which no workflow task has begun. They are ahead
 * of their task. If that task brings more, no replay repeats this order, so that the workflow would
 * be stuck (TMPRL1100). Such a task is failed here. The worker forgets the workflow then, and makes
 * the task from its history. A task that brings nothing more needs nothing.
 */
export function inStep(): WorkflowInternalsInterceptor {
  let task = { startedAt: '', events: 0, isAhead: false };
  return {
    activate: (input, next) => {
      const { jobs, timestamp, historyLength } = input.activation;
      const events = historyLength ?? 0;
      const [first] = jobs ?? [];
      if (first === undefined || first.queryWorkflow) return next(input);
      if (task.isAhead) {
        throw new Error('A query came before its events. The task is made again from the history.');
      }
      const startedAt = `${timestamp?.seconds}.${timestamp?.nanos}`;
      // Only the start of a task moves the workflow's time.
      const isAhead = startedAt === task.startedAt && events > task.events;
      task = { startedAt, events, isAhead };
      return next(input);
    },
  };
}
