import { allHandlersFinished, condition } from '@temporalio/workflow';
import type { PayoutReceipt } from '../src/orders/payout';
import { cancellation } from './order/cancel';
import { workflowOf } from './order/runOrder';
import { continueWhenLong, isLong } from './order/wait';
import { adoptShards, lacksParts } from './payout/adoptShards';
import { type Alarm, ringAt } from './payout/alarm';
import { answerPayout, continueParts, retry } from './payout/answerPayout';
import { askUntilAnswered } from './payout/asking';
import { bookOf, countsOf, isPartOver, type LivePayout, partsOf } from './payout/book';
import { receiptOf, takeUpReceipt } from './payout/receipt';
import { doubtAll, seeToShards } from './payout/shards';
import { isSteeringDue, steerShards } from './payout/steerShards';
import { placeLines, sealAgain, sealOf, takeOwnLines } from './payout/takeParts';
import { tell, tellHandedOver } from './payout/tell';
import { troubleDelayMs } from './write/machine/delays';

/** Pays many lines, each once: receives parts, checks them together, and pays them. */
export const payout = workflowOf(
  'payout',
  async (live) => {
    await collect(live);
    await continueParts(live);
    await pay(live);
    return end(live);
  },
  answerPayout,
);

/** Waits until all lines are handed over and checked together. */
async function collect(live: LivePayout): Promise<void> {
  const { order, earlier } = live.opened;
  const book = bookOf(live);
  if (book.sealed) return;
  if (earlier.goesOnFrom !== undefined) {
    takeUpReceipt(live, earlier.goesOnFrom);
    await placeLines(live);
    if (earlier.continues && !earlier.retries) return;
    // The failed attempts that the order decides to follow by new ones.
    const raised = Object.entries(order.generations).map(
      ([path, generation]) => `${path}#${generation - 1}`,
    );
    await askUntilAnswered(live, () => retry(live, raised, { isDecided: true }));
    return;
  }
  if (lacksParts(live)) await adoptShards(live);
  if (order.lines !== undefined) {
    await takeOwnLines(live, order.lines);
    // A cancellation may come before the parts of an earlier run are known again.
    if (!book.sealed) await adoptShards(live);
    return;
  }
  if (earlier.sealed !== undefined) await sealAgain(live, earlier.sealed);
  tellHandedOver(live);
  while (!book.sealed && !live.carried.cancelAsked) {
    await condition(() => book.sealed || live.carried.cancelAsked || isLong());
    await continueWhenLong(live);
  }
  // Nothing that an earlier run has sent is passed over.
  if (!book.sealed) await adoptShards(live);
}

/** After this time without news, a shard may have been ended from outside. */
const quietMs = 600_000;

/** Waits until the result of every shard is known. */
async function pay(live: LivePayout): Promise<void> {
  const isDone = (): boolean => partsOf(live).every(isPartOver);
  const hasNews = (): boolean => live.woken || isSteeringDue(live);
  const alarm: Alarm = {};
  for (let looks = 0; ; ) {
    live.woken = false;
    await seeToShards(live);
    tell(live);
    await steerShards(live);
    // A retry that is being answered may start a shard again.
    if (isDone()) await condition(() => allHandlersFinished());
    if (isDone()) return;
    const isUnsure = partsOf(live).some(({ mustSee }) => mustSee);
    looks = isUnsure ? looks + 1 : 0;
    const patienceMs = isUnsure ? troubleDelayMs(looks) : quietMs;
    if (!(await isHeard(alarm, hasNews, patienceMs)) && !isUnsure) doubtAll(live);
    await continueWhenLong(live);
  }
}

/** Waits for news. Returns false if none comes in time. */
async function isHeard(alarm: Alarm, hasNews: () => boolean, patienceMs: number): Promise<boolean> {
  const untilMs = Date.now() + patienceMs;
  while (!hasNews() && Date.now() < untilMs) {
    ringAt(alarm, untilMs, { summary: 'its shards' });
    await condition(() => hasNews() || alarm.alarmMs === undefined);
  }
  return hasNews();
}

/** Returns the receipt. A payout of which no line was accepted ends as cancelled instead. */
function end(live: LivePayout): PayoutReceipt {
  const { paid, failed, unknown } = countsOf(live);
  if (live.carried.cancelAsked && paid + failed + unknown === 0) throw cancellation(sealOf(live));
  return receiptOf(live);
}
