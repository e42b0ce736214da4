import type { Client, WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { HistoryCost } from './contender';
import { inLanes } from './rivals/inLanes';

type Event = temporal.api.history.v1.IHistoryEvent;

const { HistoryEvent } = temporal.api.history.v1;

/** The sample size for workflows that are alike. */
const sampleMax = 100;
const readersMax = 8;

/** Workflow ids. Each history of `each` is read, and only a sample of those that are `alike`. */
export type Histories = { each: readonly string[]; alike?: readonly string[] };

/** The total cost of workflows. */
export async function costOfMany(
  client: Client,
  { each, alike = [] }: Histories,
): Promise<HistoryCost> {
  const step = Math.ceil(alike.length / sampleMax) || 1;
  const sample = alike.filter((_, index) => index % step === 0);
  const scale = sample.length === 0 ? 1 : alike.length / sample.length;
  const all = await costOfAll(client, each);
  const some = await costOfAll(client, sample);
  return {
    events: all.events + some.events * scale,
    bytes: all.bytes + some.bytes * scale,
    actions: all.actions + some.actions * scale,
    ...largestOf(all, some),
  };
}

async function costOfAll(client: Client, ids: readonly string[]): Promise<HistoryCost> {
  let sum = costOf([]);
  await inLanes(ids, readersMax, async (id) => {
    for (const cost of await costOfRuns(client, id)) {
      sum = {
        events: sum.events + cost.events,
        bytes: sum.bytes + cost.bytes,
        actions: sum.actions + cost.actions,
        ...largestOf(sum, cost),
      };
    }
  });
  return sum;
}

type Largest = Pick<HistoryCost, 'largestEvents' | 'largestBytes' | 'largestEventBytes'>;

function largestOf(one: Largest, other: Largest): Largest {
  return {
    largestEvents: Math.max(one.largestEvents, other.largestEvents),
    largestBytes: Math.max(one.largestBytes, other.largestBytes),
    largestEventBytes: Math.max(one.largestEventBytes, other.largestEventBytes),
  };
}

/** The cost of each run of a workflow, from the last one back to the first. */
async function costOfRuns(client: Client, id: string): Promise<HistoryCost[]> {
  const costs: HistoryCost[] = [];
  for (let runId: string | undefined = ''; runId !== undefined; ) {
    const handle: WorkflowHandle = client.workflow.getHandle(id, runId === '' ? undefined : runId);
    const { historySize = 0 } = await handle.describe();
    const { events }: temporal.api.history.v1.IHistory = await handle.fetchHistory();
    costs.push({ ...costOf(events ?? []), bytes: historySize, largestBytes: historySize });
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    runId = started?.continuedExecutionRunId || undefined;
  }
  return costs;
}

/** The cost of one run's events, by Temporal's published rules. */
export function costOf(events: readonly Event[]): HistoryCost {
  const actions = events.reduce((sum, event, at) => sum + actionsOf(event, events[at + 1]), 0);
  const markers = events.flatMap(({ markerRecordedEventAttributes: marker }) =>
    marker ? [String(marker.workflowTaskCompletedEventId)] : [],
  );
  // All markers of one workflow task are one action.
  const all = actions + new Set(markers).size;
  const sizes = events.map((event) => HistoryEvent.encode(event).finish().length);
  return {
    events: events.length,
    bytes: 0,
    actions: all,
    largestEvents: events.length,
    largestBytes: 0,
    largestEventBytes: Math.max(0, ...sizes),
  };
}

/** The actions of an event. Queries and heartbeats are left out: no history shows them. */
function actionsOf(event: Event, next: Event | undefined): number {
  if (event.activityTaskStartedEventAttributes) {
    return (event.activityTaskStartedEventAttributes.attempt ?? 1) - 1;
  }
  // A workflow task that commands nothing and asks for another is a heartbeat of a local activity.
  if (event.workflowTaskCompletedEventAttributes) {
    return next?.workflowTaskScheduledEventAttributes ? 1 : 0;
  }
  const isBilled =
    event.workflowExecutionStartedEventAttributes ??
    event.startChildWorkflowExecutionInitiatedEventAttributes ??
    event.activityTaskScheduledEventAttributes ??
    event.timerStartedEventAttributes ??
    event.workflowExecutionSignaledEventAttributes ??
    event.workflowExecutionUpdateAcceptedEventAttributes ??
    event.upsertWorkflowSearchAttributesEventAttributes;
  return isBilled ? 1 : 0;
}
