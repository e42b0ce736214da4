import { costOf } from '../../../bench/payouts/histories';

type Event = Parameters<typeof costOf>[0][number];

const started: Event = { workflowExecutionStartedEventAttributes: {} };
const scheduled: Event = { workflowTaskScheduledEventAttributes: {} };
const taken: Event = { workflowTaskCompletedEventAttributes: {} };
const activity: Event = { activityTaskScheduledEventAttributes: {} };

function ranAfter(attempts: number): Event {
  return { activityTaskStartedEventAttributes: { attempt: attempts } };
}

function marker(task: number): Event {
  return { markerRecordedEventAttributes: { workflowTaskCompletedEventId: BigInt(task) } } as never;
}

describe('the actions of a history', () => {
  it('are its start, its activities and their retries', () => {
    const events = [started, scheduled, taken, activity, ranAfter(3), scheduled];
    expect(costOf(events)).toMatchObject({ events: 6, actions: 1 + 1 + 2 });
  });

  it('are timers, signals, updates, search attributes and children', () => {
    const each: Event[] = [
      { timerStartedEventAttributes: {} },
      { workflowExecutionSignaledEventAttributes: {} },
      { workflowExecutionUpdateAcceptedEventAttributes: {} },
      { upsertWorkflowSearchAttributesEventAttributes: {} },
      { startChildWorkflowExecutionInitiatedEventAttributes: {} },
    ];
    expect(costOf([started, ...each]).actions).toBe(6);
    // Their ends are free.
    const ends: Event[] = [
      { timerFiredEventAttributes: {} },
      { activityTaskCompletedEventAttributes: {} },
      { childWorkflowExecutionCompletedEventAttributes: {} },
      { workflowExecutionCompletedEventAttributes: {} },
    ];
    expect(costOf([started, ...ends]).actions).toBe(1);
  });

  it('are told with the largest event, which no payload exceeds', () => {
    const payload = { data: new Uint8Array(5_000) };
    const result: Event = {
      activityTaskCompletedEventAttributes: { result: { payloads: [payload] } },
    };
    const { largestEvents, largestEventBytes } = costOf([started, result, scheduled]);
    expect(largestEvents).toBe(3);
    expect(largestEventBytes).toBeGreaterThan(5_000);
    expect(largestEventBytes).toBeLessThan(5_100);
  });

  it('count all markers of one workflow task once, and each of its heartbeats', () => {
    const events = [started, scheduled, taken, marker(3), marker(3), scheduled, taken, marker(9)];
    expect(costOf(events).actions).toBe(3);
    expect(costOf([started, scheduled, taken, scheduled, taken, activity]).actions).toBe(3);
  });
});
