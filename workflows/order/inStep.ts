import type { WorkflowInternalsInterceptor } from '@temporalio/workflow';

type Activation = Parameters<
  NonNullable<WorkflowInternalsInterceptor['activate']>
>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];

/**
 * Keeps a workflow in step with its history. A worker that has just started answers a query by a
 * replay. It gets all events then, also those with which no workflow task has begun. Their commands
 * would stand before the updates of that task. No replay repeats this order, so that the workflow
 * would be stuck (TMPRL1100). These events wait until their task begins.
 */
export function inStep(): WorkflowInternalsInterceptor {
  let task = { startedAt: '', events: 0 };
  let waiting: Job[] = [];
  return {
    activate: (input, next) => {
      const { activation } = input;
      const jobs = activation.jobs ?? [];
      if (jobs.some(({ queryWorkflow }) => queryWorkflow)) return next(input);
      const startedAt = `${activation.timestamp?.seconds}.${activation.timestamp?.nanos}`;
      const events = activation.historyLength ?? 0;
      // Only the start of a task moves the workflow's time.
      if (startedAt === task.startedAt && events > task.events) {
        waiting.push(...jobs);
        return;
      }
      task = { startedAt, events };
      const all = inOrder([...waiting, ...jobs]);
      waiting = [];
      return next({ ...input, activation: { ...activation, jobs: all } });
    },
  };
}

/** The order in which Temporal's own worker hands over the jobs of one task. */
function inOrder(jobs: readonly Job[]): Job[] {
  const isCall = ({ signalWorkflow, doUpdate }: Job): boolean =>
    Boolean(signalWorkflow ?? doUpdate);
  const rank = (job: Job): number => {
    if (job.initializeWorkflow) return 0;
    if (isCall(job)) return 1;
    return job.resolveActivity?.isLocal === true ? 3 : 2;
  };
  return [...jobs].sort((one, other) => rank(one) - rank(other));
}
