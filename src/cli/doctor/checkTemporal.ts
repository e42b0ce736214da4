import type { Client, Connection } from '@temporalio/client';
import type { TemporalConfig } from '../../config';
import { attributeNames } from '../../orders/status';
import { addressOf, connect } from '../connect';
import { broken, type Finding, fine, misconfigured, reasonOf, skipped } from './finding';

const retentionDaysMin = 30;
const secondsPerDay = 86_400;
/** Temporal's numbers for the two kinds of task that a poller asks for. */
const taskKinds = { workflow: 1, activity: 2 } as const;

type Asked = { client: Client; connection: Connection; config: TemporalConfig };

/** Temporal, its namespace, and whether workers are there. */
export async function checkTemporal(config: TemporalConfig): Promise<Finding[]> {
  let asked: Asked;
  try {
    asked = await connect();
  } catch (error) {
    const mend = 'Start it with "npm run dev", or set TEMPORAL_ADDRESS to where it is.';
    const words = `cannot be reached at ${addressOf(config)}: ${reasonOf(causeOf(error))}`;
    return [
      misconfigured('Temporal', words, mend),
      ...['Namespace', 'Retention', 'Search attributes', 'Workers'].map((name) =>
        skipped(name, 'not checked: Temporal cannot be reached'),
      ),
    ];
  }
  const reached = fine('Temporal', `answers at ${addressOf(config)}`);
  try {
    return [
      reached,
      ...(await checkNamespace(asked)),
      await checkSearchAttributes(asked),
      ...(await Promise.all(queuesOf(config).map((queue) => checkPollers(asked, queue)))),
    ];
  } finally {
    await asked.connection.close();
  }
}

/** The reason itself, without the sentence that the other commands put around it. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

async function checkNamespace({ client, config }: Asked): Promise<Finding[]> {
  const { namespace } = config;
  try {
    const described = await client.workflowService.describeNamespace({ namespace });
    const seconds = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
    return [fine('Namespace', `"${namespace}" is there`), checkRetention(namespace, seconds)];
  } catch (error) {
    const words = `"${namespace}" cannot be used: ${reasonOf(error)}`;
    const mend =
      'Set TEMPORAL_NAMESPACE, or create it: ' +
      `temporal operator namespace create -n ${namespace} --retention 30d.`;
    return [
      misconfigured('Namespace', words, mend),
      skipped('Retention', 'not checked: the namespace cannot be used'),
    ];
  }
}

/** Whether Temporal remembers closed orders for long enough. */
export function checkRetention(namespace: string, seconds: number): Finding {
  const days = Math.floor((seconds / secondsPerDay) * 10) / 10;
  if (days >= retentionDaysMin) return fine('Retention', `${days} days`);
  return broken(
    'Retention',
    `closed orders are forgotten after ${days} days`,
    'An order started again later is not held against its earlier runs. Mend it with: ' +
      `temporal operator namespace update -n ${namespace} --retention 30d.`,
  );
}

async function checkSearchAttributes({ connection, config }: Asked): Promise<Finding> {
  const { namespace } = config;
  const name = 'Search attributes';
  try {
    const { operatorService } = connection;
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    const missing = attributeNames.filter((known) => !Object.hasOwn(customAttributes, known));
    if (missing.length === 0) return fine(name, `all ${attributeNames.length} are registered`);
    const flags = missing.map((attribute) => `--name ${attribute} --type Keyword`).join(' ');
    return broken(
      name,
      `${missing.join(', ')} missing; orders run, but cannot be listed by them`,
      `Register them: temporal operator search-attribute create -n ${namespace} ${flags}.`,
    );
  } catch (error) {
    return skipped(name, `not checked: ${reasonOf(error)}`);
  }
}

type Queue = { taskQueue: string; kind: keyof typeof taskKinds; purpose: string };

function queuesOf({ taskQueue }: TemporalConfig): Queue[] {
  return [
    { taskQueue, kind: 'workflow', purpose: 'workflows' },
    { taskQueue, kind: 'activity', purpose: 'reads' },
    { taskQueue: `${taskQueue}-writes`, kind: 'activity', purpose: 'writes' },
  ];
}

async function checkPollers({ client, config }: Asked, queue: Queue): Promise<Finding> {
  const name = `Worker for ${queue.purpose}`;
  const { namespace } = config;
  try {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: queue.taskQueue },
      taskQueueType: taskKinds[queue.kind],
    });
    const count = pollers?.length ?? 0;
    if (count > 0) return fine(name, `${count} on queue "${queue.taskQueue}"`);
    return broken(
      name,
      `nobody serves queue "${queue.taskQueue}", so orders wait`,
      'Start one with "steadfast worker", with the same STEADFAST_TASK_QUEUE.',
    );
  } catch (error) {
    return skipped(name, `not checked: ${reasonOf(error)}`);
  }
}
