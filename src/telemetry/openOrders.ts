import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { orderKinds } from '../orders/kinds';
import { isEnd, type Status, statuses } from '../orders/progress/status';
import type { Meter } from './meter';

const everyMs = 15_000;
/** So few are listed, to find the oldest among them. */
const listedMax = 50;
/** Each step halves the time since the oldest order. More steps would go below a second. */
const halvingsMax = 32;
const usualAgeMs = 86_400_000;

const open = statuses.filter((status) => !isEnd(status));
const isOpen = `ExecutionStatus = 'Running' AND WorkflowType IN (${quoted(orderKinds)})`;
/** A payout settles for hours, line after line. */
const isSettling = `${isOpen} AND WorkflowType != 'payout' AND SteadfastStatus = 'Settling'`;
const isUnresolved = `${isOpen} AND SteadfastStatus IN ('Unknown', 'NeedsOperator')`;
/** Starts of orders by schedules. Where a person triggers one, that person sees the failure. */
const isPeriod = "WorkflowType = 'startPeriod' AND SteadfastKind = 'startPeriod'";
const failedLatelyMs = 3_600_000;

/**
 * Counts the orders under way every quarter of a minute, until it is stopped. It asks Temporal's
 * index, so it counts an order whose worker is gone. While Temporal does not answer, the numbers
 * stay as they were, and the time of the last count is old.
 */
export function watchOpenOrders(client: Client, meter: Meter, log: Logger): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      await countOpenOrders(client, meter);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.debug({ reason }, 'The orders under way could not be counted.');
    }
    // Workers that started together need not ask together.
    if (!stopped) timer = setTimeout(look, everyMs * (0.9 + Math.random() / 5)).unref();
  };
  void look();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Counts once. Throws where Temporal does not answer, or has no such search attributes. */
async function countOpenOrders(client: Client, meter: Meter): Promise<void> {
  for (const status of open) {
    const count = await countOf(client, `${isOpen} AND ${statusIs(status)}`);
    meter.set('steadfast_open_orders', count, { status });
  }
  for (const [which, query] of [
    ['any', isOpen],
    ['unresolved', isUnresolved],
    ['settling', isSettling],
    ['period', `${isPeriod} AND ExecutionStatus = 'Running'`],
  ] as const) {
    const ageMs = await oldestMs(client, query);
    meter.set('steadfast_oldest_open_seconds', ageMs / 1_000, { which });
  }
  const since = new Date(Date.now() - failedLatelyMs).toISOString();
  const failed = `${isPeriod} AND ExecutionStatus = 'Failed' AND CloseTime > '${since}'`;
  meter.set('steadfast_failed_periods', await countOf(client, failed), {});
  meter.set('steadfast_open_orders_read_timestamp_seconds', Date.now() / 1_000, {});
}

/**
 * The age of the oldest order, or 0 if there is none. Temporal lists the newest first, and its
 * index on a database sorts no other way. So the time is halved until few enough are left to be
 * listed.
 */
async function oldestMs(client: Client, query: string): Promise<number> {
  const nowMs = Date.now();
  let untilMs = nowMs;
  let count = await countOf(client, query);
  // Few wait for longer than that, and where one does, one question more finds out.
  const usualMs = nowMs - usualAgeMs;
  const isUsual =
    count > listedMax && (await countOf(client, `${query} AND ${startedBefore(usualMs)}`)) === 0;
  let fromMs = isUsual ? usualMs : 0;
  for (let halving = 0; count > listedMax && halving < halvingsMax; halving++) {
    const middleMs = Math.floor((fromMs + untilMs) / 2);
    const before = await countOf(client, `${query} AND ${startedBefore(middleMs)}`);
    if (before === 0) fromMs = middleMs;
    else [untilMs, count] = [middleMs, before];
  }
  let foundMs = nowMs;
  const listed = `${query} AND ${startedBefore(untilMs)}`;
  let left = listedMax;
  for await (const { startTime } of client.workflow.list({ query: listed, pageSize: listedMax })) {
    foundMs = Math.min(foundMs, startTime.getTime());
    left -= 1;
    if (left === 0) break;
  }
  return nowMs - foundMs;
}

async function countOf(client: Client, query: string): Promise<number> {
  return (await client.workflow.count(query)).count;
}

function statusIs(status: Status): string {
  return `SteadfastStatus = '${status}'`;
}

function startedBefore(ms: number): string {
  return `StartTime <= '${new Date(ms).toISOString()}'`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}
