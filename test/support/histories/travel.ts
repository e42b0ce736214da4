import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import { type History, textOf, withoutMachine } from './recorded';
import { answerFile, idOf, type Journey, type Rule, type Scene, workflowsOf } from './road';
import type { Stage } from './stage';

const travelMsMax = 300_000;
const shardMsMax = 5_000;

/** The faults of all journeys. Each fault names the key of one write, so journeys never mix. */
export function faultsOf(journeys: readonly Journey[]): Rule[] {
  return journeys.flatMap((journey) => {
    const { subject, road } = journey;
    return (road.faults ?? []).flatMap(({ every, ...rule }) => {
      const writes = every ? subject.writes : subject.writes.slice(-1);
      return writes.map((path) => ({ ...rule, idempotencyKey: keyOf(idOf(journey), path) }));
    });
  });
}

/** The key of a write. The order's id is the journey's name, so all recordings share their keys. */
function keyOf(workflowId: string, path: string): string {
  const [step = '', item = ''] = path.split('/');
  return idempotencyKey({ workflowId, step, item, generation: 0 });
}

/**
 * Runs an order to its end. Returns its histories in Temporal's JSON by file name, one for each run
 * of a continue-as-new chain. Throws when the order ends otherwise, or when its history does not
 * prove the road.
 */
export async function travel(stage: Stage, journey: Journey): Promise<Map<string, string>> {
  const { name, subject, road } = journey;
  const orders = stage.orders[road.worker ?? 'usual'];
  const order = await subject.order(stage, name);
  const id = idOf(journey);
  const handle = orders.client.workflow.getHandle(id);
  const start: Scene['start'] = async () => {
    await orders.steadfast.start(subject.kind as never, id, order as never);
  };
  const scene = { stage, orders, id, handle, start, write: subject.writes.at(-1) ?? '' };
  const whole = async (): Promise<string> => {
    await start();
    await road.play?.(scene);
    await handle.result().catch(() => {});
    return (await handle.describe()).status.name;
  };
  const late = sleep(travelMsMax, 'still running after five minutes', { ref: false });
  const end = await Promise.race([whole(), late]);
  const { ends = 'COMPLETED', shows } = road;
  if (end !== ends) throw new Error(`${name} is ${end}, not ${ends}.`);
  const histories = new Map<string, string>();
  const answerIds: string[] = [];
  const { workflow } = orders.client;
  for (const [file, workflowId] of Object.entries(workflowsOf(journey))) {
    // A shard ends a moment after its payout. Without a seal it would wait for ever.
    await Promise.race([workflow.getHandle(workflowId).result(), sleep(shardMsMax)]).catch(
      () => {},
    );
    const runs = await runsOf(workflow, workflow.getHandle(workflowId));
    for (const [at, run] of runs.entries()) {
      const name = runs.length === 1 ? file : `${file}-${at + 1}`;
      histories.set(name, withoutMachine(run, orders.taskQueue));
      answerIds.push(...answersIn(run));
    }
  }
  for (const [at, answerId] of answerIds.entries()) {
    const answering = workflow.getHandle(answerId);
    await answering.result();
    const run = await answering.fetchHistory();
    histories.set(`${answerFile(journey)}-${at + 1}`, withoutMachine(run, orders.taskQueue));
  }
  const text = [...histories.values()].map(textOf).join('\n');
  if (shows !== undefined && !shows.test(text)) throw new Error(`${name} does not show ${shows}.`);
  return histories;
}

/** The ids of the workflows that tell a receiver of the ends of this run. */
function answersIn({ events }: History): string[] {
  return (events ?? []).flatMap(({ childWorkflowExecutionStartedEventAttributes: started }) =>
    started?.workflowType?.name === 'answer' ? (started.workflowExecution?.workflowId ?? []) : [],
  );
}

/** The histories of the newest run and of its earlier runs, oldest first. */
async function runsOf(
  from: { getHandle(workflowId: string, runId?: string): WorkflowHandle },
  { workflowId }: WorkflowHandle,
): Promise<History[]> {
  const runs: History[] = [];
  for (let runId: string | undefined = ''; runId !== undefined; ) {
    const history: History = await from.getHandle(workflowId, runId || undefined).fetchHistory();
    runs.unshift(history);
    const start = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    runId = start?.continuedExecutionRunId || undefined;
  }
  return runs;
}
