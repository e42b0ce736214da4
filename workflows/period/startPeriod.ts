import {
  ApplicationFailure,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { StartedPeriod } from '../../src/client/temporal/startOnce';
import type { AttributeName, Status } from '../../src/orders/progress/status';
import type { PeriodStart } from '../../src/orders/schedule/schedule';
import { starts, startsByChain, thrownBy } from '../order/activities';

/**
 * Starts the order of one period of a schedule. Its id holds only the schedule and the period, so a
 * backfill, a second trigger and a late run start one order.
 */
export async function startPeriod(start: PeriodStart): Promise<StartedPeriod> {
  try {
    const found = await starts('find the period').findPeriod(start, scheduledAt());
    const { period, nominal, orderId } = found;
    const waitMs = found.startAtMs - Date.now();
    if (waitMs > 0) await sleep(waitMs, { summary: `jitter of ${period}` });
    const starting = start.kind === 'dailyClose' ? startsByChain : starts;
    const started = await starting(`start ${orderId}`).startOrder(start, found);
    show('Done', `${period}: ${started.workflowId} ${how[started.outcome]}`);
    return { period, nominal, ...started };
  } catch (error) {
    throw ended(error);
  }
}

const how: Readonly<Record<StartedPeriod['outcome'], string>> = {
  started: 'was started',
  attached: 'was under way before',
  completed: 'was done before: nothing is moved again',
  leftOut: 'is left out, as a person has ordered',
};

/** The schedule's time that this run stands for, without jitter and delays. */
function scheduledAt(): string | undefined {
  const { searchAttributes, workflowId } = workflowInfo();
  const [told] = searchAttributes.TemporalScheduledStartTime ?? [];
  if (told instanceof Date) return told.toISOString();
  // If attributes are not shown to workflows, the id still ends with it.
  return /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId)?.[0];
}

/** Nothing was started. The failure says what to correct or decide. */
function ended(error: unknown): unknown {
  const cause = thrownBy(error);
  if (cause === undefined) return error;
  const type = cause.type === 'NeedsOperator' ? 'NeedsOperator' : 'Refused';
  show(type, cause.message);
  return ApplicationFailure.create({ type, message: cause.message, nonRetryable: true });
}

function show(status: Status, words: string): void {
  setCurrentDetails(`**${status}**: ${words}`);
  const name: AttributeName = 'SteadfastStatus';
  // Only a run that was started with the attribute is on a namespace that has it.
  if (workflowInfo().searchAttributes[name] === undefined) return;
  upsertSearchAttributes([{ key: { name, type: 'KEYWORD' }, value: status }]);
}
