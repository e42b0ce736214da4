import { getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow';
import type { LineOutcome } from '../../../src/orders/payout';
import { tallyOf, waitingIn } from '../../../src/orders/payout/tally';
import type { Stop } from '../../order/activities';
import { nowOf } from '../../write/calling';
import type { LineQuestion, ShardReport } from '../records';
import { lineCount } from './payments';
import { lineOutcome, resultsOf } from './results';
import type { Shard } from './shard';

/** A question has a long text. People answer the first ones, and are asked the next ones then. */
const askingMax = 5;
/** A batch changes many lines at once, so that its shard has less to tell. */
const everyMs = { alone: 2_000, inBatches: 5_000 };

/** After this time it asks whether its payout is still there. */
const idleMs = 3_600_000;

/** Unused room is reported in steps of this fraction of the lines. */
const steps = { alone: 16, inBatches: 2 };

/**
 * Tells the payout the state of its lines. It does so at once when a trouble or a doubt changes, or
 * when other shards may have more of the room. Otherwise it waits. Returns when it is due again.
 */
export function reportWhenDue(shard: Shard): number {
  const { reported, order, carried, pending, opened } = shard;
  if (pending.has('report') || carried.isClosed) return Number.POSITIVE_INFINITY;
  // It is asked at each wake-up, so that the results of hundreds of lines are left for the report.
  const notices = noticesOf(shard);
  const { unknown, trouble } = notices;
  const { waiting: room, ...others } = countsOf(shard);
  const targets = unknown.map(({ target, paidIn }) => [target, paidIn]);
  const asking = notices.asking?.first.map(({ approval }) => [approval.target, approval.weighed]);
  const pressing = JSON.stringify([targets, trouble?.message, asking, room === 0]);
  const counts = JSON.stringify([room, others]);
  const way = (opened.batchesFrom ?? []).length > 0 ? 'inBatches' : 'alone';
  const isFreed = carried.steer.openMax - room >= Math.ceil(order.lines.length / steps[way]);
  if (reported?.pressing === pressing && !isFreed) {
    const dueMs = reported.atMs + (reported.counts === counts ? idleMs : everyMs[way]);
    if (nowOf(shard) < dueMs) return dueMs;
  }
  shard.reported = { pressing, counts, atMs: Date.now() };
  // Its payout knows that nothing has begun.
  const isFirst = reported === undefined;
  if (isFirst && room === order.lines.length && isQuiet(notices)) return Date.now() + idleMs;
  pending.add('report');
  void tell(shard);
  return Number.POSITIVE_INFINITY;
}

function isQuiet({ unknown, trouble, asking }: Notices): boolean {
  return unknown.length === 0 && trouble === undefined && asking === undefined;
}

/** The last report: that it is done. A line that is retried meanwhile differs from it. */
export async function reportEnd(shard: Shard): Promise<void> {
  shard.reported = { pressing: '', counts: '', atMs: Date.now() };
  await tell(shard, { isOver: true });
}

async function tell(shard: Shard, end: Pick<ShardReport, 'isOver'> = {}): Promise<void> {
  const { steer } = shard.carried;
  const { runId } = workflowInfo();
  const report: ShardReport = { ...reportOf(shard), runId, ...end };
  // Other shards use the room that this one cannot use.
  steer.openMax = Math.min(steer.openMax, waitingIn(report.tally));
  try {
    await getExternalWorkflowHandle(shard.payout.workflowId).signal('report', report);
  } catch {
    // The payout has ended: what is pending settles, and no more is sent.
    shard.carried.isClosed = true;
  } finally {
    shard.pending.delete('report');
    shard.woken = true;
  }
}

function told({ type, message, facts }: Stop): NonNullable<ShardReport['trouble']> {
  const { approval } = facts;
  return { type, message, ...(approval && { approval }) };
}

function questionsIn(asking: readonly LineQuestion[]): NonNullable<ShardReport['asking']> {
  return { count: asking.length, first: asking.slice(0, askingMax) };
}

export function reportOf(shard: Shard): Omit<ShardReport, 'runId'> {
  const notices = noticesOf(shard);
  const lines = resultsOf(shard);
  return { part: shard.order.part, tally: tallyOf(lines), ...notices };
}

/** Doubts, troubles and questions that people are to see. */
type Notices = Pick<ShardReport, 'unknown' | 'trouble' | 'asking'>;

function noticesOf(shard: Shard): Notices {
  const { trouble } = shard;
  const open = shard.asking.size === 0 ? [] : shard.payments.at('ready', 'sending');
  const asking = open.flatMap(({ item }) => shard.asking.get(item) ?? []);
  // Its payout shows the first one, and of the others the number.
  const unknown = shard.payments.at('unknown', 'disputed').slice(0, 1);
  return {
    unknown: unknown.map((line) => {
      const { why, evidence = [], stage, paidIn } = shard.writes.stateOf(line);
      const told = [...(why ? [why] : []), ...evidence];
      const isDisputed = stage === 'disputed' ? { isDisputed: true as const } : {};
      const target = shard.writes.targetOf(line);
      return { target, evidence: told, ...isDisputed, ...(paidIn && { paidIn }) };
    }),
    ...(trouble === undefined ? {} : { trouble: told(trouble) }),
    ...(asking.length === 0 ? {} : { asking: questionsIn(asking) }),
  };
}

/** The number of lines with each outcome. */
function countsOf(shard: Shard): Record<LineOutcome, number> {
  const counts = { waiting: 0, paid: 0, failed: 0, unknown: 0, skipped: 0 };
  for (const payment of shard.payments.all()) {
    counts[lineOutcome[shard.writes.stateOf(payment).stage]] += lineCount(payment);
  }
  return counts;
}
