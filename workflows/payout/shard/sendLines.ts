import { stopOf } from '../../order/custody';
import { answerOf } from '../../write/step';
import { wishOf } from '../../write/writeState';
import { happened, identityOf, type Line, linesAt, openCount, type Shard, stepOf } from './shard';
import { hasSpare, readSpareWhenNeeded, spend } from './spare';

/** A pace is kept by the second: a line at a time would cost a timer each. */
const paceStepMs = 1_000;

/**
 * How many lines activities have at a time. The server keeps at most a hundred events while the
 * shard thinks, two for each answer, and else has it think anew; and who else writes does not wait
 * behind hundreds.
 */
const sendingMax = 40;

/**
 * Hands waiting lines to activities, as many as may be under way. Returns when it is worth to be
 * called again, besides after every answer.
 */
export function sendLines(shard: Shard): number {
  const { steer, isClosed } = shard.carried;
  const { stopped } = steer;
  if (stopped !== undefined) cancelAll(shard, stopped);
  endCancelled(shard);
  if (stopped !== undefined || isClosed) return Number.POSITIVE_INFINITY;
  if (!steer.maySend || steer.paused) return Number.POSITIVE_INFINITY;
  const nowMs = Date.now();
  const busyWallets = new Set(
    linesAt(shard, 'sending', 'accepted')
      .filter(({ wallet }) => wallet.accountType === 'SCA')
      .map(({ line }) => line.wallet),
  );
  const sending = linesAt(shard, 'sending').length;
  const free = Math.min(steer.openMax - openCount(shard), sendingMax - sending);
  let left = Math.min(free, paced(shard, nowMs));
  let nextMs = Number.POSITIVE_INFINITY;
  let lacks = false;
  for (const line of linesAt(shard, 'ready')) {
    if (left <= 0) break;
    const { wallet } = line.line;
    const fromMs = Math.max(wishOf(line.state).atMs, shard.held.get(wallet) ?? 0);
    if (fromMs > nowMs) nextMs = Math.min(nextMs, fromMs);
    else if (busyWallets.has(wallet)) continue;
    else if (!hasSpare(shard, line)) lacks = true;
    else {
      // Its transactions follow one another, so that more would only wait inside the service.
      if (line.wallet.accountType === 'SCA') busyWallets.add(wallet);
      spend(shard, line);
      left -= 1;
      shard.paceMs += steer.linesPerS === null ? 0 : paceStepMs / steer.linesPerS;
      shard.emptyLooks = 0;
      shard.nextLookMs = 0;
      void send(shard, line);
    }
  }
  const spareMs = lacks ? readSpareWhenNeeded(shard) : Number.POSITIVE_INFINITY;
  const paceMs = left <= 0 && steer.linesPerS !== null ? nextPaceMs(shard, nowMs) : nextMs;
  return Math.min(nextMs, spareMs, paceMs);
}

/** How many lines the pace lets go now. */
function paced(shard: Shard, nowMs: number): number {
  const { linesPerS } = shard.carried.steer;
  if (linesPerS === null) return Number.POSITIVE_INFINITY;
  // What was not sent in time is not made up for.
  shard.paceMs = Math.max(shard.paceMs, nowMs - Math.max(paceStepMs, paceStepMs / linesPerS));
  return Math.floor(((nowMs - shard.paceMs) * linesPerS) / paceStepMs + 1e-9);
}

function nextPaceMs({ paceMs, carried }: Shard, nowMs: number): number {
  return Math.max(paceMs + paceStepMs / (carried.steer.linesPerS ?? 1), nowMs + paceStepMs);
}

/** One attempt, and its outcome. */
async function send(shard: Shard, line: Line): Promise<void> {
  if (happened(shard, line, { kind: 'sending' }).stage !== 'sending') return;
  shard.busy += 1;
  try {
    const accepted = await stepOf(shard, line).send(identityOf(shard, line));
    shard.trouble = undefined;
    const { transactionId } = accepted;
    const answer = { kind: 'accepted', accepted: { transactionId }, transactionId } as const;
    happened(shard, line, { kind: 'answered', answer });
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    const { stage, notBeforeMs = 0 } = happened(shard, line, {
      kind: 'answered',
      answer: answerOf(stop),
    });
    if (stop.type === 'Ended') {
      shard.carried.isClosed = true;
    } else if (stage === 'ready') {
      shard.trouble = stop;
      // Where one line may not go, its neighbours would only hear the same.
      shard.held.set(line.line.wallet, notBeforeMs);
    }
  } finally {
    shard.busy -= 1;
    shard.answers += 1;
    shard.woken = true;
  }
}

function cancelAll(shard: Shard, why: string): void {
  for (const line of linesAt(shard, 'unseen', 'ready', 'doubt', 'unknown', 'accepted')) {
    if (!line.state.isCancelled) happened(shard, line, { kind: 'cancel', why });
  }
}

/** A line that is not to be sent any more needs no room: it ends, or is looked up. */
function endCancelled(shard: Shard): void {
  for (const line of linesAt(shard, 'ready')) {
    if (line.state.isCancelled) happened(shard, line, { kind: 'sending' });
  }
}
