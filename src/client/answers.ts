import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { isRecord } from '../custody/isRecord';
import { answerIdOf } from './answers/answerId';
import { inputOf } from './temporal/inputOf';
import { inQuery } from './temporal/runsOf';
import { withoutMemos } from './temporal/withoutMemos';

/** Messages to the receiver about one order, as Temporal knows them. */
type Answer = {
  workflowId: string;
  orderId: string;
  state: 'waiting' | 'told' | 'given up';
  startedAt: string;
};

type Found = Answer & { run: WorkflowExecutionInfo };

const answerForm = /^answer:(.+):[^:]+$/s;

/** Messages that still wait, or that were given up, over all orders. */
export async function untoldAnswers(client: Client): Promise<Answer[]> {
  const found = await answersBy(client, "ExecutionStatus != 'Completed'");
  const newest = await newestOf(client, found);
  return found
    .map(({ run: _, ...answer }) => newest.get(answer.workflowId) ?? answer)
    .filter(({ state }) => state !== 'told');
}

/** Number of ids in one query. */
const askedAtOnce = 50;

/** The newest runs of what was given up. A message that was sent again has a later run. */
async function newestOf(client: Client, found: readonly Found[]): Promise<Map<string, Answer>> {
  const ids = found.flatMap(({ workflowId, state }) => (state === 'given up' ? workflowId : []));
  const newest = new Map<string, Answer>();
  for (let first = 0; first < ids.length; first += askedAtOnce) {
    const named = ids.slice(first, first + askedAtOnce).map(inQuery);
    const runs = await answersBy(client, `WorkflowId IN (${named.join(', ')})`);
    for (const { run: _, ...answer } of runs) newest.set(answer.workflowId, answer);
  }
  return newest;
}

/**
 * Sends again all messages about an order that are not on their way. Each has the id that it had.
 * Temporal knows them for as long as it keeps closed workflows.
 */
export async function resendAnswers(client: Client, orderId: string): Promise<Answer[]> {
  const begin = inQuery(answerIdOf(orderId, ''));
  const found = await answersBy(client, `WorkflowId STARTS_WITH ${begin}`);
  // The id of another order may begin as this one's.
  const own = found.filter((answer) => answer.orderId === orderId);
  for (const { run, state } of own) {
    if (state === 'waiting') continue;
    const [ends] = await inputOf(client, run);
    // A caller can start anything by such an id. The worker compares the seal.
    if (!isRecord(ends) || ends.orderId !== orderId) continue;
    await client.workflow.start('answer', {
      workflowId: run.workflowId,
      taskQueue: run.taskQueue,
      args: [ends],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }
  return own.map(({ run: _, ...answer }) => answer);
}

/** The last run of each. */
async function answersBy(client: Client, where: string): Promise<Found[]> {
  const last = new Map<string, Found>();
  const query = `WorkflowType = 'answer' AND ${where}`;
  for await (const run of withoutMemos(client).workflow.list({ query })) {
    const { workflowId, status, startTime } = run;
    const [, orderId] = answerForm.exec(workflowId) ?? [];
    const known = last.get(workflowId);
    const isOlder = known !== undefined && known.run.startTime >= startTime;
    if (orderId === undefined || isOlder) continue;
    const state = stateOf[status.name] ?? 'given up';
    last.set(workflowId, { run, workflowId, orderId, state, startedAt: startTime.toISOString() });
  }
  return [...last.values()];
}

const stateOf: Readonly<Record<string, Answer['state']>> = {
  RUNNING: 'waiting',
  COMPLETED: 'told',
};
