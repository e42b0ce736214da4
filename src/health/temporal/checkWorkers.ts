import {
  broken,
  fine,
  firstLine,
  type HealthFinding,
  skipped,
  type TemporalToCheck,
} from '../finding';
import { checkDeployment } from './checkDeployment';
import { pollersOf, type Queue, queuesOf } from './pollers';

/** Temporal's number for a worker that accepts only tasks of its build. */
const versioned = 2;

type Pollers = Awaited<ReturnType<typeof pollersOf>>;

/** Checks that workers serve all queues, and that new orders go to their build. */
export async function checkWorkers(asked: TemporalToCheck): Promise<HealthFinding[]> {
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

async function checkPollers(
  asked: TemporalToCheck,
  queue: Queue,
): Promise<{ finding: HealthFinding; pollers: Pollers }> {
  const { taskQueue, purpose } = queue;
  const name = `Worker for ${purpose}`;
  try {
    const pollers = await pollersOf(asked, queue);
    if (pollers.length > 0) {
      return { finding: fine(name, `${pollers.length} on queue "${taskQueue}"`), pollers };
    }
    const { words, mend } = purpose === 'answers' ? untold : wait;
    return { finding: broken(name, `nobody serves queue "${taskQueue}", ${words}`, mend), pollers };
  } catch (error) {
    return { finding: skipped(name, `not checked: ${firstLine(error)}`), pollers: [] };
  }
}
