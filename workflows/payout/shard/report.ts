import { getExternalWorkflowHandle } from '@temporalio/workflow';
import { tallyOf } from '../../../src/orders/payout/tally';
import type { ShardReport } from '../records';
import { linesAt, openCount, resultsOf, type Shard, targetOf } from './shard';

const toldMax = 20;
const everyMs = 2_000;

/** Long after anybody would have begun: it asks whether its payout is still there. */
const idleMs = 3_600_000;

/**
 * Tells the payout where its lines stand: at once when the stage or a trouble changes, and else
 * every now and then. Returns when it is due again.
 */
export function reportWhenDue(shard: Shard): number {
  if (shard.isReporting || shard.carried.isClosed) return Number.POSITIVE_INFINITY;
  const report = reportOf(shard);
  const { reported } = shard;
  const pressing = pressingOf(report);
  const tally = JSON.stringify(report.tally);
  if (reported?.pressing === pressing && !freed(shard, report)) {
    const dueMs = reported.atMs + (reported.tally === tally ? idleMs : everyMs);
    if (Date.now() < dueMs) return dueMs;
  }
  shard.reported = { pressing, tally, open: report.open, atMs: Date.now() };
  shard.isReporting = true;
  void tell(shard, report);
  return Number.POSITIVE_INFINITY;
}

/** What the payout is to hear of at once. */
function pressingOf({ stage, unknown, trouble }: ShardReport): string {
  return JSON.stringify([stage, unknown.map(({ target }) => target), trouble?.message]);
}

/** Once all is sent, what is free is wanted by the next shard. */
function freed({ reported, carried }: Shard, { stage, open }: ShardReport): boolean {
  const step = Math.max(carried.steer.openMax / 8, 1);
  return stage === 'settling' && reported !== undefined && reported.open - open >= step;
}

/** The last report: that it is done. */
export async function reportEnd(shard: Shard): Promise<void> {
  await tell(shard, { ...reportOf(shard), stage: 'over' });
}

async function tell(shard: Shard, report: ShardReport): Promise<void> {
  try {
    const { workflowId } = shard.order.terms;
    await getExternalWorkflowHandle(workflowId).signal('report', report);
  } catch {
    // Nobody is there any more to be paid for: what is under way settles, and no more is sent.
    shard.carried.isClosed = true;
  } finally {
    shard.isReporting = false;
    shard.woken = true;
  }
}

export function reportOf(shard: Shard): ShardReport {
  const { trouble, order } = shard;
  const unknown = linesAt(shard, 'unknown', 'disputed').slice(0, toldMax);
  return {
    part: order.part,
    stage: stageOf(shard),
    tally: tallyOf(resultsOf(shard)),
    open: openCount(shard),
    unknown: unknown.map((line) => ({
      target: targetOf(line),
      evidence: [...(line.state.why ? [line.state.why] : []), ...(line.state.evidence ?? [])],
    })),
    ...(trouble === undefined ? {} : { trouble: { type: trouble.type, message: trouble.message } }),
  };
}

/** Longer than a transfer takes that settles at all. */
const stalledMs = 120_000;

/**
 * Wallets of one transfer at a time that have had one for so long that lines of other parts are not
 * to wait for it. With a reserve they have to: what is under way counts against it.
 */
function stalled(shard: Shard): ReadonlySet<number> {
  if (shard.order.terms.reserve !== undefined) return new Set();
  const beforeMs = Date.now() - stalledMs;
  const late = linesAt(shard, 'unseen', 'ready', 'sending', 'accepted').filter(
    ({ wallet, state }) => wallet.accountType === 'SCA' && (state.bornAtMs ?? beforeMs) < beforeMs,
  );
  return new Set(late.map(({ line }) => line.wallet));
}

function stageOf(shard: Shard): ShardReport['stage'] {
  const { steer } = shard.carried;
  const waiting = linesAt(shard, 'unseen', 'ready');
  const open = openCount(shard);
  if (waiting.length > 0) {
    const held = stalled(shard);
    // Also while others have their turn: it is no use before the wallets hold more.
    if (open === 0 && waiting.every(({ state }) => state.isShort)) return 'stuck';
    if (waiting.every(({ line }) => held.has(line.wallet))) return 'stuck';
    if (steer.maySend) return 'paying';
    return open > 0 ? 'settling' : 'ready';
  }
  return open > 0 || linesAt(shard, 'doubt').length > 0 ? 'settling' : 'idle';
}
