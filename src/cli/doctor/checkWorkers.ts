import type { Client } from '@temporalio/client';
import { checkDeployment } from './checkDeployment';
import { type Asked, broken, type Finding, fine, firstLine, skipped } from './finding';

/** Temporal's numbers for the two kinds of task. */
const taskKinds = { workflow: 1, activity: 2 } as const;

/** Temporal's number for a worker that accepts only tasks of its build. */
const versioned = 2;

type Queue = {
  taskQueue: string;
  kind: keyof typeof taskKinds;
  purpose: string;
  /** The consequence where nobody serves it, and the way out. */
  unserved: { words: string; mend: string };
};
type Pollers = NonNullable<
  Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>['pollers']
>;

/** Checks that workers serve all queues, and that new orders go to their build. */
export async function checkWorkers(asked: Asked): Promise<Finding[]> {
  const { deployment } = asked;
  const served = await Promise.all(queuesOf(asked).map((queue) => checkPollers(asked, queue)));
  const findings = served.map(({ finding }) => finding);
  const builds = new Map<string, Set<string>>();
  if (deployment !== undefined) builds.set(deployment.name, new Set([deployment.buildId]));
  // Only workflow tasks go by the current build. Activities follow them.
  for (const { deploymentOptions: told } of served[0]?.pollers ?? []) {
    if (told?.workerVersioningMode !== versioned || !told.deploymentName) continue;
    const known = builds.get(told.deploymentName) ?? new Set<string>();
    builds.set(told.deploymentName, known.add(told.buildId ?? ''));
  }
  const deployments = [...builds].map(([name, known]) =>
    checkDeployment(asked, { name, builds: [...known] }),
  );
  return [...findings, ...(await Promise.all(deployments))];
}

const wait = {
  words: 'so orders wait',
  mend: 'Start one with "steadfast worker", with the same STEADFAST_TASK_QUEUE.',
};
const untold = {
  words: 'so no end is told',
  mend:
    'Set STEADFAST_ANSWERS_URL for the workers of the role workflows, too, and restart them. ' +
    'Without it they lose the ends of their orders.',
};

function queuesOf({ config: { taskQueue }, answers }: Asked): Queue[] {
  const ofOrders: Queue[] = [
    { taskQueue, kind: 'workflow', purpose: 'workflows', unserved: wait },
    { taskQueue, kind: 'activity', purpose: 'reads', unserved: wait },
    { taskQueue: `${taskQueue}-writes`, kind: 'activity', purpose: 'writes', unserved: wait },
  ];
  if (!answers) return ofOrders;
  const ofAnswers = { taskQueue: `${taskQueue}-answers`, purpose: 'answers', unserved: untold };
  return [...ofOrders, { ...ofAnswers, kind: 'activity' }];
}

async function checkPollers(
  { client, config }: Asked,
  queue: Queue,
): Promise<{ finding: Finding; pollers: Pollers }> {
  const name = `Worker for ${queue.purpose}`;
  const { namespace } = config;
  try {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: queue.taskQueue },
      taskQueueType: taskKinds[queue.kind],
    });
    if (pollers && pollers.length > 0) {
      return { finding: fine(name, `${pollers.length} on queue "${queue.taskQueue}"`), pollers };
    }
    const finding = broken(
      name,
      `nobody serves queue "${queue.taskQueue}", ${queue.unserved.words}`,
      queue.unserved.mend,
    );
    return { finding, pollers: [] };
  } catch (error) {
    return { finding: skipped(name, `not checked: ${firstLine(error)}`), pollers: [] };
  }
}
