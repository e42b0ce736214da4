import type { ReceiptAnswer } from '../../activities/chain/receipt';
import { batchStep } from '../../src/custody/batch';
import { archive, headingOf, onChainOf, settledOf } from '../order/archive';
import { continueWhenLong, standStill } from '../order/wait';
import { type Line, type Payment, stepOf } from './shard/payments';
import { reportWhenDue } from './shard/report';
import type { Shard } from './shard/shard';

/** Notes where on the chain the lines of a payment are, for the archive. */
export function notePlaces(shard: Shard, payment: Payment, { place }: ReceiptAnswer): void {
  if (place === undefined || shard.opened.archives !== true) return;
  const places = { ...shard.carried.places };
  const { record, generation } = shard.writes.stateOf(payment);
  if (record === undefined) return;
  const { id: transactionId, userOpHash } = record;
  const of = { transactionId, userOpHash };
  if (payment.step === 'line') places[payment.item] = { ...of, onChain: onChainOf(place) };
  else {
    const { payments, item } = payment;
    const batch = { step: batchStep, item, generation };
    for (const [at, { line }] of payments.entries()) {
      const onChain = onChainOf(place, at, payments.length);
      if (line !== undefined) places[line.lineId] = { ...of, batch, onChain };
    }
  }
  shard.carried.places = places;
}

/**
 * Adds the receipts of a shard's lines to the archive, before it reports its end. An archive that
 * cannot be used is shown and tried again, unless the payout was cancelled.
 */
export async function archiveLines(shard: Shard): Promise<void> {
  const { opened, payout, lines, carried } = shard;
  const settled = lines.flatMap((line) => receiptOf(shard, line));
  if (settled.length === 0) return;
  const heading = headingOf(payout.workflowId, opened);
  const order = { ...heading.order, linesDigest: carried.steer.linesDigest };
  for (let look = 1; ; look++) {
    const stop = await archive({ ...heading, order, settled });
    shard.trouble = stop;
    if (stop === undefined) delete carried.places;
    if (stop === undefined || carried.cancelAsked || carried.isClosed) return;
    reportWhenDue(shard);
    await standStill(shard, stop, look);
    await continueWhenLong(shard);
  }
}

/**
 * The receipt of a line that has ended. Where the chain is read, the archive lacks one without a
 * place. The place of an earlier attempt, such as a batch that failed, is not its own.
 */
function receiptOf(shard: Shard, line: Line) {
  const { opened, carried } = shard;
  const state = shard.writes.stateOf(line);
  const noted = carried.places?.[line.item];
  const known = noted?.transactionId === state.record?.id ? noted : undefined;
  if (known === undefined && opened.checksReceipts) return [];
  const grounds = carried.grounds?.[line.item];
  // A line of a batch has a share of the fee. A receipt tells the fee of the whole.
  const whole = known?.batch === undefined ? {} : { networkFee: undefined };
  return (
    settledOf(stepOf(shard, line), state, {
      ...known,
      ...whole,
      grounds,
      reference: line.reference,
      name: line.name,
      exchange: line.exchange,
    }) ?? []
  );
}
