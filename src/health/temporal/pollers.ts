import type { Client } from '@temporalio/client';
import type { TemporalToCheck } from '../finding';

/** Temporal's numbers for the two kinds of task. */
const taskKinds = { workflow: 1, activity: 2 } as const;

/** A queue that workers serve. */
export type Queue = {
  taskQueue: string;
  kind: keyof typeof taskKinds;
  /** The tasks that go there: workflows, reads, writes or answers. */
  purpose: 'workflows' | 'reads' | 'writes' | 'answers';
};

type Pollers = NonNullable<
  Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>['pollers']
>;

/** The queues of a task queue's workers. Answers have one where somebody is told of ends. */
export function queuesOf({
  config: { taskQueue },
  answers,
}: Pick<TemporalToCheck, 'config' | 'answers'>) {
  const queues: Queue[] = [
    { taskQueue, kind: 'workflow', purpose: 'workflows' },
    { taskQueue, kind: 'activity', purpose: 'reads' },
    { taskQueue: `${taskQueue}-writes`, kind: 'activity', purpose: 'writes' },
  ];
  const ofAnswers = `${taskQueue}-answers`;
  if (answers) queues.push({ taskQueue: ofAnswers, kind: 'activity', purpose: 'answers' });
  return queues;
}

/** The workers that Temporal has heard of lately on a queue. */
export async function pollersOf(
  { client, config }: Pick<TemporalToCheck, 'client' | 'config'>,
  { taskQueue, kind }: Queue,
): Promise<Pollers> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: config.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: taskKinds[kind],
  });
  return pollers ?? [];
}
