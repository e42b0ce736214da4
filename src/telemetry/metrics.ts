/** A metric of ours. Pure data: workflows import it, and docs/reference/metrics.md repeats it. */
export type Metric = {
  type: 'counter' | 'gauge' | 'histogram';
  /** Each has few values: never an id, an address or an amount. */
  labels: readonly string[];
  help: string;
  /** Upper bounds of a histogram's buckets. */
  buckets?: readonly number[];
};

const quickSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const waitSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];
const settleSeconds = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3_600, 14_400];
const amounts = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];

/** Every metric that workers serve beside Temporal's own, by its name. */
export const metrics = {
  steadfast_orders_total: {
    type: 'counter',
    labels: ['kind', 'outcome'],
    help:
      'Orders that ended. outcome: completed, known (completed by an earlier run), ' +
      'dryRun, refused, failed, cancelled.',
  },
  steadfast_payout_lines_total: {
    type: 'counter',
    labels: ['outcome'],
    help:
      'Lines of payouts that ended. outcome: paid, failed, unknown, skipped, ' +
      'givenUp. A line that was unknown may still be paid.',
  },
  steadfast_settled_amount: {
    type: 'histogram',
    labels: ['token'],
    help:
      'Amounts of transfers that settled, in tokens. The sum is the money moved. Floating' +
      ' point: for graphs, never for books.',
    buckets: amounts,
  },
  steadfast_settle_seconds: {
    type: 'histogram',
    labels: ['kind', 'state'],
    help:
      'From the acceptance of a transaction to its final state, by the clock of the ' +
      'service. A line of a payout counts from its first try until the worker knew.',
    buckets: settleSeconds,
  },
  steadfast_notice_lag_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help:
      'From the final state at the service until the workflow knew of it. Clocks that ' +
      'differ show here.',
    buckets: settleSeconds,
  },
  steadfast_notices_total: {
    type: 'counter',
    labels: ['outcome'],
    help:
      'Requests to the receiver of notices. outcome: woken, started, over, repeated, foreign, ' +
      'old, notFinal, other (all genuine), notHandedOn (Temporal did not answer), forged, ' +
      'unknownKey, keyLater, tooLarge, notJson, cutOff, wrongMethod.',
  },
  steadfast_last_notice_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help:
      'Time of the last genuine notice at this receiver, as the service wrote it. Its start, ' +
      'before one has come.',
  },
  steadfast_closes_total: {
    type: 'counter',
    labels: ['outcome'],
    help:
      'Daily closes that ended. outcome: balanced, differs (a person has to look), failed, ' +
      'cancelled.',
  },
  steadfast_close_rows_total: {
    type: 'counter',
    labels: ['class'],
    help: 'Rows that daily closes have found, by class, such as "moved by somebody else".',
  },
  steadfast_answers_total: {
    type: 'counter',
    labels: ['outcome'],
    help:
      'Groups of ends for the receiver, each with up to 250. outcome: told, givenUp (a person ' +
      'sends them again), lost (the worker that runs the order has no receiver set).',
  },
  steadfast_contradicting_receipts_total: {
    type: 'counter',
    labels: [],
    help:
      'Receipts that say something else than an earlier one of the same write. Both are in the ' +
      'archive, and a person has to look.',
  },
  steadfast_upstream_calls_total: {
    type: 'counter',
    labels: ['endpoint', 'outcome', 'status', 'code'],
    help:
      'Calls to the service. outcome: answered, refused, unexpected (not the interface), ' +
      'noAnswer, notSent, error. status and code are those of a refusal. code is "other" ' +
      'after the first 64.',
  },
  steadfast_upstream_seconds: {
    type: 'histogram',
    labels: ['endpoint'],
    help: 'Duration of calls to the service, with any outcome.',
    buckets: quickSeconds,
  },
  steadfast_tries_total: {
    type: 'counter',
    labels: ['activity', 'outcome', 'ambiguous'],
    help:
      'Tries of activities. outcome: done, again, refused, unknown, operator, cancelled. ' +
      'ambiguous: yes if a write may have been accepted.',
  },
  steadfast_queue_wait_seconds: {
    type: 'histogram',
    labels: ['queue'],
    help:
      'How long a try waited for its turn, since it was due: for the rate limit or for a ' +
      'free worker. queue: reads, writes.',
    buckets: waitSeconds,
  },
  steadfast_open_orders: {
    type: 'gauge',
    labels: ['status'],
    help:
      'Orders under way, by status. Every worker counts all of the namespace: take the ' +
      'maximum, not the sum.',
  },
  steadfast_oldest_open_seconds: {
    type: 'gauge',
    labels: ['which'],
    help:
      'Age of the oldest order under way, from the start of its run. 0 if there is none. ' +
      'which: any, unresolved (Unknown or NeedsOperator), settling (and no payout), period (of a ' +
      'schedule, whose order is not started yet).',
  },
  steadfast_failed_periods: {
    type: 'gauge',
    labels: [],
    help:
      'Periods of schedules that ended in the last hour without starting their order. Every ' +
      'worker counts all of the namespace: take the maximum, not the sum.',
  },
  steadfast_open_orders_read_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    help:
      'Time of the last count of open orders. Old while Temporal does not answer. Absent ' +
      'where the namespace lacks the search attributes.',
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;

/** The values for a metric's labels: exactly its own. */
export type LabelsOf<Name extends MetricName> = Record<
  (typeof metrics)[Name]['labels'][number],
  string
>;

/** The part of a name that is given to Temporal, whose exporter appends "_total" to counters. */
export function givenName(name: string): string {
  return name.replace(/_total$/, '');
}
