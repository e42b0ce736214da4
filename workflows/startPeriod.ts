import {
  ActivityFailure,
  ApplicationFailure,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { StartedOrder } from '../activities/startOnce';
import type { PeriodStart } from '../src/orders/schedule';
import type { AttributeName, Status } from '../src/orders/status';
import { starts } from './custody';

/** What has come of the start of a period: its order goes on by itself. */
export type StartedPeriod = StartedOrder & { period: string; nominal: string };

/**
 * Starts the order of one period of a schedule, under an id that has nothing but schedule and
 * period in it: a backfill, a second trigger and a late run of a period are one order.
 */
export async function startPeriod(start: PeriodStart): Promise<StartedPeriod> {
  try {
    const found = await starts('find the period').findPeriod(start, scheduledAt());
    const { period, nominal, orderId } = found;
    const waitMs = found.startAtMs - Date.now();
    if (waitMs > 0) await sleep(waitMs, { summary: `jitter of ${period}` });
    const started = await starts(`start ${orderId}`).startOrder(found);
    show('Done', `${period}: ${orderId} ${how[started.outcome]}`);
    return { period, nominal, ...started };
  } catch (error) {
    throw ended(error);
  }
}

const how: Readonly<Record<StartedOrder['outcome'], string>> = {
  started: 'was started',
  attached: 'was under way before',
  completed: 'was done before; nothing is moved again',
};

/** The time of the schedule that this run stands for; jitter and delays are not in it. */
function scheduledAt(): string | undefined {
  const { searchAttributes, workflowId } = workflowInfo();
  const [told] = searchAttributes.TemporalScheduledStartTime ?? [];
  if (told instanceof Date) return told.toISOString();
  // Where attributes are not shown to workflows, the id still ends with it.
  return /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId)?.[0];
}

/** Nothing was started: what has to be corrected, or decided, is in the failure. */
function ended(error: unknown): unknown {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) return error;
  const type = cause.type === 'NeedsOperator' ? 'NeedsOperator' : 'Refused';
  show(type, cause.message);
  return ApplicationFailure.create({ type, message: cause.message, nonRetryable: true });
}

function show(status: Status, words: string): void {
  setCurrentDetails(`**${status}**: ${words}`);
  const name: AttributeName = 'SteadfastStatus';
  // Only a run that was started with it is on a namespace that has it.
  if (workflowInfo().searchAttributes[name] === undefined) return;
  upsertSearchAttributes([{ key: { name, type: 'KEYWORD' }, value: status }]);
}
