import { fromBaseUnits, toBaseUnits } from '../../../src/custody/objects/amount';
import { allLines } from '../../../src/custody/objects/approval';
import { sameMoney } from '../../../src/custody/objects/sameMoney';
import { finest } from '../../../src/orders/payout/tally';
import { reads, type Stop, stopOf } from '../../order/custody';
import { happened, identity, stateOf } from '../../write/happened';
import { answerOf } from '../../write/step';
import { mayBePending, wishOf } from '../../write/writeState';
import { awaitsBatch, formBatches, heldUntilMs, setApart } from './batches';
import { withGas } from './gas';
import {
  isOwn,
  lineIdsOf,
  linesIn,
  type Payment,
  paymentsAt,
  paymentsOf,
  stepOf,
} from './payments';
import { trying } from './reading';
import { heldBack, keepGrounds, type Shard } from './shard';

/** A second's lines are sent together, since a line at a time would cost a timer each. */
const paceStepMs = 1_000;

/**
 * Number of lines that activities have at a time. The server keeps at most a hundred events while
 * the shard thinks, two for each answer. And other writers do not wait behind hundreds of lines.
 */
const sendingMax = 40;

/**
 * Hands waiting payments to activities, as many lines as may be pending. Returns when it is worth
 * calling again, besides after every answer.
 */
export function sendLines(shard: Shard): number {
  const { steer, isClosed, cancelAsked } = shard.carried;
  formBatches(shard);
  for (const one of paymentsAt(shard, 'ready')) {
    // A payment that is not to be sent ends, or is looked up.
    if (cancelAsked || stateOf(shard, one).isCancelled) happened(shard, one, { kind: 'sending' });
  }
  if (isClosed || cancelAsked) return Number.POSITIVE_INFINITY;
  const open = paymentsAt(shard, 'sending', 'accepted');
  const sending = open.filter((one) => stateOf(shard, one).stage === 'sending').length;
  // A payment with a final record moves no more. Its receipt holds up no other line of its wallet.
  const moving = open.filter((one) => stateOf(shard, one).record === undefined);
  const busy = new Set(moving.map(({ wallet }) => wallet.walletId));
  const nowMs = Date.now();
  const asks = shard.trouble?.facts.approval !== undefined;
  if (asks && nowMs < shard.asksAtMs) return shard.asksAtMs;
  // People approve all lines or none, so one line finds out if they have to.
  const isFirst = steer.signed !== undefined && !shard.isLetOut;
  const places = (asks || isFirst ? 1 : sendingMax) - sending;
  let room = steer.openMax - open.reduce((lines, one) => lines + linesIn(one), 0);
  let isEmpty = open.length === 0;
  const stepMs = steer.linesPerS === null ? 0 : 1_000 / steer.linesPerS;
  shard.paceMs = Math.min(Math.max(shard.paceMs, nowMs), nowMs + Math.max(paceStepMs, stepMs));
  let sent = 0;
  const heldMs = heldUntilMs(shard);
  let nextMs = heldMs > nowMs ? heldMs : Number.POSITIVE_INFINITY;
  for (const one of sendable(shard)) {
    const lines = linesIn(one);
    if (sent >= places || room <= 0) break;
    // A batch that is larger than all the room goes alone.
    if (lines > room && !isEmpty) continue;
    if (stepMs > 0 && shard.paceMs >= nowMs + paceStepMs) return Math.min(nextMs, shard.paceMs);
    const { walletId, accountType } = one.wallet;
    const fromMs = Math.max(
      wishOf(stateOf(shard, one)).atMs,
      shard.held.get(walletId)?.untilMs ?? 0,
    );
    if (fromMs > nowMs) nextMs = Math.min(nextMs, fromMs);
    // A smart account's transactions follow one another. More would only wait inside the service.
    else if (accountType !== 'SCA' || !busy.has(walletId)) {
      busy.add(walletId);
      sent += 1;
      room -= lines;
      isEmpty = false;
      shard.paceMs += stepMs * lines;
      Object.assign(shard, { emptyLooks: 0, nextLookMs: 0 });
      void send(shard, one);
    }
  }
  return nextMs;
}

/** The payments that may be sent. A batch that pays other parts too is theirs as well. */
export function sendable(shard: Shard): Payment[] {
  const waits = awaitsBatch(shard);
  const isHeld = heldUntilMs(shard) > Date.now();
  return paymentsAt(shard, 'ready').filter((one) =>
    one.step === 'line' ? !isHeld && !waits(one) : isOwn(one),
  );
}

/** One attempt, and its outcome. */
async function send(shard: Shard, payment: Payment): Promise<void> {
  if (happened(shard, payment, { kind: 'sending' }).stage !== 'sending') return;
  shard.busy += 1;
  try {
    const why = await shortage(shard, payment);
    if (why !== undefined) {
      const answer = { kind: 'Again', why, isAmbiguous: false } as const;
      happened(shard, payment, { kind: 'answered', answer });
      return;
    }
    const sized = await withGas(shard, payment);
    if ('kind' in sized) {
      happened(shard, payment, { kind: 'answered', answer: sized });
      return;
    }
    const { transactionId, grounds } = await stepOf(shard, sized).send(identity(shard, sized));
    for (const lineId of lineIdsOf(payment)) keepGrounds(shard, lineId, grounds);
    Object.assign(shard, { trouble: heldBack(shard), isLetOut: true });
    const answer = { kind: 'accepted', accepted: { transactionId }, transactionId } as const;
    happened(shard, payment, { kind: 'answered', answer });
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    if (setApart(shard, payment, stop)) return;
    const { stage, notBeforeMs } = happened(shard, payment, {
      kind: 'answered',
      answer: answerOf(stop),
    });
    if (stop.type === 'Ended') shard.carried.isClosed = true;
    else if (stage === 'ready') stumble(shard, payment, stop);
    if (shard.trouble?.facts.approval !== undefined) shard.asksAtMs = notBeforeMs ?? 0;
    // The service has said when to come again. Lines of the same wallet would only hear the same.
    if (stop.facts.afterMs !== undefined) {
      shard.held.set(payment.wallet.walletId, { untilMs: notBeforeMs ?? 0, stop });
    }
  } finally {
    shard.busy -= 1;
    shard.woken = true;
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
  // All lines were approved before this one was asked about, and what was in the way is gone.
  Object.assign(shard, { trouble: undefined, isLetOut: true });
}

/**
 * Says if a line has to wait, so that its wallet keeps its reserve when all that is pending and
 * this line have left it.
 */
async function shortage(shard: Shard, payment: Payment): Promise<string | undefined> {
  const { order, nativeTwins } = shard.opened;
  const { reservePerWallet: reserve } = order;
  if (reserve === undefined) return undefined;
  const { token, wallet } = payment;
  const read = { walletId: wallet.walletId, token, nativeTwins };
  const held = await trying(shard, async () => {
    const balance = await reads(`what ${wallet.address} holds`).readBalance(read);
    return fromBaseUnits(BigInt(balance?.baseUnits ?? 0), token.decimals);
  });
  if (held === undefined) return `It is not known what ${wallet.address} holds.`;
  const all = paymentsOf(shard);
  const place = all.findIndex(({ item }) => item === payment.item);
  const others = all.filter((other, at) => {
    const { stage } = stateOf(shard, other);
    // Of payments that are being sent, the first ones come first.
    const mayMove = stage === 'sending' ? at < place : mayBePending(stateOf(shard, other));
    const isSame = sameMoney(other.token.address, token.address, nativeTwins);
    return mayMove && isSame && other.wallet.walletId === wallet.walletId;
  });
  const needed = [reserve, payment.amount, ...others.map(({ amount }) => amount)];
  const units = needed.reduce((sum, amount) => sum + toBaseUnits(amount, finest), 0n);
  if (toBaseUnits(held, finest) >= units) return undefined;
  return `${wallet.address} holds too little ${token.name} above its reserve.`;
}
