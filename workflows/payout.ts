import { condition } from '@temporalio/workflow';
import type { PayoutOrder, PayoutReceipt } from '../src/orders/payout';
import { cancelled } from './order/cancel';
import type { Carried } from './order/liveOrder';
import { runOrder } from './order/runOrder';
import { continueWhenLong, isLong } from './order/wait';
import { answerPayout, retry } from './payout/answerPayout';
import { patiently } from './payout/asking';
import { bookOf, isOver, type LivePayout, partsOf, wholeTally } from './payout/book';
import { receiptOf, takeUpReceipt } from './payout/receipt';
import { isSteeringDue, seeToSilent, silenceMs, steerShards } from './payout/steerShards';
import { takeOwnLines } from './payout/takeParts';
import { tell, tellHandedOver } from './payout/tell';

/** Pays many lines, each once: receives parts, checks them together, and pays them. */
export async function payout(order: PayoutOrder, carried?: Carried): Promise<PayoutReceipt> {
  return runOrder({ kind: 'payout', order, carried, answers: answerPayout }, async (live) => {
    await collect(live);
    await pay(live);
    return end(live);
  });
}

/** Waits until all lines are handed over and checked together. */
async function collect(live: LivePayout): Promise<void> {
  const { order, earlier } = live.opened;
  const book = bookOf(live);
  if (book.sealed) return;
  if (earlier.goesOnFrom !== undefined) {
    takeUpReceipt(live, earlier.goesOnFrom);
    const raised = Object.keys(order.generations).map((path) => path.replace('line/', ''));
    await retry(live, raised, patiently(live));
    return;
  }
  if (order.lines !== undefined) {
    await takeOwnLines(live, order.lines);
    return;
  }
  tellHandedOver(live);
  while (!book.sealed && !live.carried.cancelAsked) {
    await condition(() => book.sealed || live.carried.cancelAsked || isLong());
    await continueWhenLong(live);
  }
}

/** Waits until every shard is done. */
async function pay(live: LivePayout): Promise<void> {
  const book = bookOf(live);
  for (;;) {
    live.woken = false;
    tell(live);
    await steerShards(live);
    if (partsOf(book).every(isOver)) return;
    await condition(() => live.woken || isSteeringDue(live), silenceMs, { summary: 'its shards' });
    await seeToSilent(live);
    await continueWhenLong(live);
  }
}

/** The receipt. A payout that sent nothing ends as cancelled instead. */
function end(live: LivePayout): PayoutReceipt {
  const { paid, failed, unknown } = wholeTally(bookOf(live));
  if (live.carried.cancelAsked && paid + failed + unknown === 0) throw cancelled();
  return receiptOf(live);
}
