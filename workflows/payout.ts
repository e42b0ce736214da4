import { condition } from '@temporalio/workflow';
import type { PayoutOrder, PayoutReceipt } from '../src/orders/payout';
import { cancelled } from './cancel';
import { answerPayout, retry } from './payout/answerPayout';
import { patiently } from './payout/asking';
import { bookOf, isOver, type PayoutRun, partsOf, wholeTally } from './payout/book';
import { receiptOf, takeUpReceipt } from './payout/receipt';
import { isSteeringDue, seeToSilent, silenceMs, steerShards } from './payout/steerShards';
import { takeOwnLines } from './payout/takeParts';
import { tell, tellHandedOver } from './payout/tell';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { continueWhenLong, isLong } from './wait';

/** Pays many lines, each once: takes them part by part, checks them together, and pays the parts. */
export async function payout(order: PayoutOrder, carried?: Carried): Promise<PayoutReceipt> {
  return runOrder({ kind: 'payout', order, carried, answers: answerPayout }, async (run) => {
    await collect(run);
    await pay(run);
    return end(run);
  });
}

/** Until all lines are there and have been checked together. */
async function collect(run: PayoutRun): Promise<void> {
  const { order, earlier } = run.opened;
  const book = bookOf(run);
  if (book.sealed) return;
  if (earlier.goesOnFrom !== undefined) {
    takeUpReceipt(run, earlier.goesOnFrom);
    const raised = Object.keys(order.generations).map((path) => path.replace('line/', ''));
    await retry(run, raised, patiently(run));
    return;
  }
  if (order.lines !== undefined) {
    await takeOwnLines(run, order.lines);
    return;
  }
  tellHandedOver(run);
  while (!book.sealed && !run.carried.cancelAsked) {
    await condition(() => book.sealed || run.carried.cancelAsked || isLong());
    await continueWhenLong(run);
  }
}

/** Until every shard is done. */
async function pay(run: PayoutRun): Promise<void> {
  const book = bookOf(run);
  for (;;) {
    run.woken = false;
    tell(run);
    await steerShards(run);
    if (partsOf(book).every(isOver)) return;
    await condition(() => run.woken || isSteeringDue(run), silenceMs, { summary: 'its shards' });
    await seeToSilent(run);
    await continueWhenLong(run);
  }
}

/** What it came to; a payout of which nothing was sent can be cancelled as any order can. */
function end(run: PayoutRun): PayoutReceipt {
  const { paid, failed, unknown } = wholeTally(bookOf(run));
  if (run.carried.cancelAsked && paid + failed + unknown === 0) throw cancelled();
  return receiptOf(run);
}
