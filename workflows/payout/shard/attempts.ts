import type { Accepted } from '../../../activities/transactions';
import { batchStep } from '../../../src/custody/batch';
import { allLines } from '../../../src/custody/objects/approval';
import type { Grounds } from '../../../src/custody/objects/grounds';
import type { Stop } from '../../order/activities';
import { answerOf } from '../../write/step';
import { leaveUnproven } from './batches/batches';
import { lineIdsOf, type Payment } from './payments';
import { heldBack } from './reading';
import type { Shard } from './shard';

/** Begins an attempt. False if the payment is not to be sent any more, or not before a look-up. */
export function begins(shard: Shard, payment: Payment): boolean {
  if (payment.step === batchStep && leaveUnproven(shard, payment)) return false;
  if (shard.writes.hear(payment, { kind: 'sending' }).stage !== 'sending') return false;
  Object.assign(shard, { emptyLooks: 0, nextLookMs: 0 });
  return true;
}

/** Keeps the shard from ending or continuing as new while attempts are pending. */
export async function whileBusy(shard: Shard, work: () => Promise<void>): Promise<void> {
  shard.busy += 1;
  try {
    await work();
  } finally {
    shard.busy -= 1;
    shard.woken = true;
  }
}

/** The service has accepted an attempt. */
export function accept(shard: Shard, payment: Payment, sent: Accepted): void {
  const { transactionId, grounds } = sent;
  if (grounds !== undefined) keepGrounds(shard, payment, grounds);
  Object.assign(shard, { trouble: heldBack(shard), isLetOut: true });
  const answer = { kind: 'accepted', accepted: { transactionId }, transactionId } as const;
  shard.writes.hear(payment, { kind: 'answered', answer });
}

/** Keeps the reasons for which the policy has let the lines of a payment out. */
function keepGrounds({ carried }: Shard, payment: Payment, grounds: Grounds): void {
  carried.grounds ??= {};
  for (const lineId of lineIdsOf(payment)) carried.grounds[lineId] = grounds;
}

/** An attempt has ended without an acceptance. */
export function holdUp(shard: Shard, payment: Payment, stop: Stop): void {
  const answer = answerOf(stop);
  const { lookedUpAtMs } = shard.writes.stateOf(payment);
  const { stage, notBeforeMs } = shard.writes.hear(payment, { kind: 'answered', answer });
  if (stop.type === 'Outdated') lookUpAgain(shard, lookedUpAtMs);
  if (stop.type === 'Ended') shard.carried.isClosed = true;
  else if (stage === 'ready') stumble(shard, payment, stop);
  if (shard.trouble?.facts.approval !== undefined) shard.asksAtMs = notBeforeMs ?? 0;
  // The service has said when to come again. Lines of the same wallet would only hear the same.
  if (stop.facts.afterMs !== undefined) {
    shard.held.set(payment.wallet.walletId, { untilMs: notBeforeMs ?? 0, stop });
  }
}

/** The writer has begun since. One look-up serves all that were looked up by then. */
function lookUpAgain(shard: Shard, untilMs = 0): void {
  for (const one of shard.payments.at('ready')) {
    const { lookedUpAtMs = 0 } = shard.writes.stateOf(one);
    if (lookedUpAtMs <= untilMs) shard.writes.apply(one, { kind: 'lookAgain' });
  }
}

/** Notes what holds a line back: something that concerns all lines, or a question about this one. */
function stumble(shard: Shard, { item }: Payment, stop: Stop): void {
  const { message, facts } = stop;
  const { approval } = facts;
  if (approval === undefined || approval.target === allLines) {
    shard.trouble = stop;
    shard.asking.delete(item);
    return;
  }
  shard.asking.set(item, { message, approval });
  // A question about one line shows that the payout as a whole is approved.
  Object.assign(shard, { trouble: undefined, isLetOut: true });
}
