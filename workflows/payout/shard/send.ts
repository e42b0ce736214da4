import { batchStep } from '../../../src/custody/batch';
import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { sameMoney } from '../../../src/custody/objects/money';
import { linesPerBatch } from '../../../src/orders/payout/linesPerBatch';
import { finest } from '../../../src/orders/payout/tally';
import { reads, type Stop, stopOf } from '../../order/activities';
import { nowOf } from '../../write/calling';
import { type AttemptOutcome, mayBePending, wishOf } from '../../write/machine/writeState';
import { noteReset, wasReset } from '../../write/reset';
import { accept, begins, holdUp, whileBusy } from './attempts';
import { awaitsBatch, dissolve, formBatches } from './batches/batches';
import { withGas } from './batches/gas';
import { isOwnBatch, lineCount, type Payment, stepOf } from './payments';
import { readForShard } from './reading';
import { heldUntilMs, type Shard } from './shard';
import { areApart, inGroups, sendTogether } from './together';

/** A second's lines are sent together, since a line at a time would cost a timer each. */
const paceStepMs = 1_000;

/**
 * Number of lines that activities have at a time. The server keeps at most a hundred events while
 * the shard thinks, two for each activity. And other writers do not wait behind hundreds of lines.
 */
const sendingMax = { apart: 40, together: 100 };

/**
 * Hands waiting payments to activities, as many lines as may be pending. Returns when it is worth
 * calling again, besides after every answer.
 */
export function sendLines(shard: Shard): number {
  formBatches(shard);
  endUnsent(shard);
  const { chosen, nextMs, paceMs } = choose(shard);
  shard.paceMs = paceMs;
  for (const payments of inGroups(shard, chosen)) {
    const [one] = payments;
    if (one !== undefined && payments.length === 1) void send(shard, one);
    else void sendTogether(shard, payments);
  }
  return nextMs;
}

/** A payment that is not to be sent ends, or is looked up. */
function endUnsent(shard: Shard): void {
  for (const one of shard.payments.at('ready')) {
    if (shard.carried.cancelAsked || shard.writes.stateOf(one).isCancelled)
      shard.writes.hear(one, { kind: 'sending' });
  }
}

type Choice = { chosen: Payment[]; nextMs: number; paceMs: number };

/** The payments to send now, when it is worth choosing again, and the pace that follows. */
function choose(shard: Shard): Choice {
  const chosen: Payment[] = [];
  const { steer, isClosed, cancelAsked } = shard.carried;
  let { paceMs } = shard;
  if (isClosed || cancelAsked) return { chosen, paceMs, nextMs: Number.POSITIVE_INFINITY };
  const open = shard.payments.at('sending', 'accepted');
  const sending = open.filter((one) => shard.writes.stateOf(one).stage === 'sending').length;
  // A payment with a final record moves no more. Its receipt holds up no other line of its wallet.
  const moving = open.filter((one) => shard.writes.stateOf(one).record === undefined);
  const busy = new Set(moving.map(({ wallet }) => wallet.walletId));
  const nowMs = nowOf(shard);
  const asks = shard.trouble?.facts.approval !== undefined;
  if (asks && nowMs < shard.asksAtMs) return { chosen, paceMs, nextMs: shard.asksAtMs };
  // People approve all lines or none, so one line finds out if they have to.
  const isFirst = steer.signed !== undefined && !shard.isLetOut;
  const most = areApart(shard) ? sendingMax.apart : sendingMax.together;
  const places = (asks || isFirst ? 1 : most) - sending;
  let room = steer.openMax - open.reduce((lines, one) => lines + lineCount(one), 0);
  let isEmpty = open.length === 0;
  const stepMs = steer.linesPerS === null ? 0 : 1_000 / steer.linesPerS;
  const mostMs = Math.max(paceStepMs, stepMs * linesMaxOf(shard));
  paceMs = Math.min(Math.max(paceMs, nowMs), nowMs + mostMs);
  const heldMs = heldUntilMs(shard);
  let nextMs = heldMs > nowMs ? heldMs : Number.POSITIVE_INFINITY;
  for (const one of sendable(shard)) {
    const lines = lineCount(one);
    if (chosen.length >= places || room <= 0) break;
    // A batch that is larger than all the room goes alone.
    if (lines > room && !isEmpty) continue;
    if (stepMs > 0 && paceMs >= nowMs + paceStepMs) {
      nextMs = Math.min(nextMs, paceMs);
      break;
    }
    const { walletId, accountType } = one.wallet;
    const fromMs = Math.max(
      wishOf(shard.writes.stateOf(one)).atMs,
      shard.held.get(walletId)?.untilMs ?? 0,
    );
    if (fromMs > nowMs) nextMs = Math.min(nextMs, fromMs);
    // A smart account's transactions follow one another. More would only wait inside the service.
    else if (accountType !== 'SCA' || !busy.has(walletId)) {
      busy.add(walletId);
      room -= lines;
      isEmpty = false;
      paceMs += stepMs * lines;
      chosen.push(one);
    }
  }
  return { chosen, nextMs, paceMs };
}

/** Number of lines that a payment has at most. A pace waits no longer than for these. */
function linesMaxOf({ opened }: Shard): number {
  const { order, batchesFrom = [] } = opened;
  return batchesFrom.length === 0 ? 1 : (linesPerBatch(order) ?? 1);
}

/** The payments that may be sent. A batch that pays other parts too is theirs as well. */
function sendable(shard: Shard): Payment[] {
  const waits = awaitsBatch(shard);
  const isHeld = heldUntilMs(shard) > nowOf(shard);
  return shard.payments
    .at('ready')
    .filter((one) => (one.step === 'line' ? !isHeld && !waits(one) : isOwnBatch(one)));
}

/** One attempt, and its outcome. */
async function send(shard: Shard, payment: Payment): Promise<void> {
  if (!begins(shard, payment)) return;
  await whileBusy(shard, async () => {
    const why = await shortage(shard, payment);
    if (why !== undefined) {
      holdUp(shard, payment, { type: 'Again', message: why, facts: { ambiguous: false } });
      return;
    }
    const asked = await withGas(shard, payment);
    const sized = answerAfterReset(shard, payment) ?? answerAfterStop(shard, payment) ?? asked;
    if ('kind' in sized) {
      shard.writes.hear(payment, { kind: 'answered', answer: sized });
      // A stop was no trouble, so that it is due at once when the stop ends.
      if (isStopped(shard, payment)) shard.writes.apply(payment, { kind: 'hurry' });
      return;
    }
    const { item, wallet } = sized;
    // Writes of a smart account wait for each other, so that they are in no queue.
    if (wallet.accountType !== 'SCA') shard.handedAtMs.set(item, Date.now());
    try {
      accept(shard, payment, await stepOf(shard, sized).send(shard.writes.identityOf(sized)));
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      if (!setApart(shard, payment, stop)) holdUp(shard, payment, stop);
    } finally {
      shard.handedAtMs.delete(item);
    }
  });
}

/**
 * The answer in the place of an attempt, in a run that was reset while it asked. The run before may
 * have paid these lines otherwise, so they are looked up first. Undefined for any other run.
 */
function answerAfterReset(shard: Shard, payment: Payment): AttemptOutcome | undefined {
  noteReset(shard);
  if (!wasReset(shard) || shard.writes.stateOf(payment).isForgotten === true) return undefined;
  return { kind: 'Again', why: 'The run was reset.', isAmbiguous: true };
}

/**
 * The answer in the place of an attempt that somebody has stopped while it asked. It was not sent.
 * Undefined for any other one.
 */
function answerAfterStop(shard: Shard, payment: Payment): AttemptOutcome | undefined {
  if (!isStopped(shard, payment)) return undefined;
  return { kind: 'Again', why: 'It was stopped before it was sent.', isAmbiguous: false };
}

/** True if nothing is to be sent, or not this payment: cancelled, closed or paused. */
function isStopped({ carried, writes }: Shard, payment: Payment): boolean {
  const { cancelAsked, isClosed, steer } = carried;
  const isCancelled = cancelAsked || writes.stateOf(payment).isCancelled === true;
  return isCancelled || isClosed || steer.openMax === 0;
}

/**
 * Says if a line has to wait, so that its wallet keeps its reserve when all that is pending and
 * this line have left it.
 */
async function shortage(shard: Shard, payment: Payment): Promise<string | undefined> {
  const { order, blockchain } = shard.opened;
  const { reservePerWallet: reserve } = order;
  // The money of a payment that may have been sent may have left the wallet already.
  if (reserve === undefined || shard.writes.stateOf(payment).tries !== 'clean') return undefined;
  const { token, wallet } = payment;
  const read = { walletId: wallet.walletId, token, blockchain };
  const held = await readForShard(shard, async () => {
    const balance = await reads(`what ${wallet.address} holds`).readBalance(read);
    return fromBaseUnits(BigInt(balance?.baseUnits ?? 0), token.decimals);
  });
  if (held === undefined) return `It is not known what ${wallet.address} holds.`;
  const all = shard.payments.all();
  const place = all.findIndex(({ item }) => item === payment.item);
  const others = all.filter((other, at) => {
    const { stage } = shard.writes.stateOf(other);
    // Payments that are being sent go in the order of the lines.
    const mayMove = stage === 'sending' ? at < place : mayBePending(shard.writes.stateOf(other));
    const isSame = sameMoney(other.token.address, token.address, blockchain);
    return mayMove && isSame && other.wallet.walletId === wallet.walletId;
  });
  const needed = [reserve, payment.amount, ...others.map(({ amount }) => amount)];
  const units = needed.reduce((sum, amount) => sum + toBaseUnits(amount, finest), 0n);
  if (toBaseUnits(held, finest) >= units) return undefined;
  return `${wallet.address} holds too little ${token.name} above its reserve.`;
}

/**
 * Takes those lines out of a batch that hold up the others, and looks them up again. None of it was
 * ever sent. Returns false where the writer names none.
 */
function setApart(shard: Shard, payment: Payment, { type, facts }: Stop): boolean {
  const { apart = [] } = facts;
  if (payment.step !== batchStep || type !== 'Refused' || apart.length === 0) return false;
  const lineIds = apart.flatMap((at) => payment.payments[at]?.line?.lineId ?? []);
  const { carried } = shard;
  // The writer judges a line alone only as a transfer.
  if (payment.payments.length === 1) carried.plain = [...(carried.plain ?? []), ...lineIds];
  dissolve(shard, payment, lineIds);
  for (const item of lineIds) shard.writes.apply({ step: 'line', item }, { kind: 'lookAgain' });
  return true;
}
