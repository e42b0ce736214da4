import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import { type History, textOf, withoutMachine } from './recorded';
import type { Journey, Rule, Scene } from './road';
import type { Stage } from './stage';

const travelMsMax = 300_000;

/** The faults of all journeys: each is about the key of one write, so that none meets another's. */
export function faultsOf(journeys: readonly Journey[]): Rule[] {
  return journeys.flatMap(({ name, subject, road }) =>
    (road.faults ?? []).flatMap(({ every, ...rule }) => {
      const writes = every ? subject.writes : subject.writes.slice(-1);
      return writes.map((path) => ({ ...rule, idempotencyKey: keyOf(name, path) }));
    }),
  );
}

/** The id of an order is the name of its journey, and so the file has the same in each recording. */
function keyOf(workflowId: string, path: string): string {
  const [step = '', item = ''] = path.split('/');
  return idempotencyKey({ workflowId, step, item, generation: 0 });
}

/**
 * Lets an order go its way, and returns its history in Temporal's JSON; one for each run where it
 * continued as new. Throws when it ended otherwise, or nothing in it shows that it went this way.
 */
export async function travel(stage: Stage, journey: Journey): Promise<string[]> {
  const { name, subject, road } = journey;
  const orders = stage.orders[road.worker ?? 'usual'];
  const order = await subject.order(stage);
  const handle = orders.client.workflow.getHandle(name);
  const start: Scene['start'] = async () => {
    await orders.steadfast.start(subject.kind as never, name, order as never);
  };
  const scene = { stage, orders, id: name, handle, start, write: subject.writes.at(-1) ?? '' };
  const whole = async (): Promise<string> => {
    await start();
    await road.play?.(scene);
    await handle.result().catch(() => {});
    return (await handle.describe()).status.name;
  };
  const late = sleep(travelMsMax, 'on its way after five minutes', { ref: false });
  const end = await Promise.race([whole(), late]);
  const { ends = 'COMPLETED', shows } = road;
  if (end !== ends) throw new Error(`${name} is ${end}, not ${ends}.`);
  const histories = (await runsOf(orders.client.workflow, handle)).map((history) =>
    withoutMachine(history, orders.taskQueue),
  );
  const text = histories.map(textOf).join('\n');
  if (shows !== undefined && !shows.test(text)) throw new Error(`${name} does not show ${shows}.`);
  return histories;
}

/** The histories of the newest run, and of those that it continues, oldest first. */
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
