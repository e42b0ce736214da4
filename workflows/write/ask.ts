import { workflowInfo } from '@temporalio/workflow';
import type { ReceiptAnswer } from '../../activities/chain/receipt';
import type { NoticeState } from '../../activities/guard/noticeSense';
import { isNamedWhole } from '../../src/custody/readable';
import type { Finding } from '../../src/orders/progress/resolve';
import { longReads, stopOf, unread } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { noteFinal } from '../order/meter';
import { isPaused } from '../order/pauseOrder';
import { noteDone, noteFault, noteStop } from '../order/show';
import { calls, type WriteQuestion } from './calls';
import { noticedDelayMs, settleDelayMs } from './machine/delays';
import { type Happening, isAsking, type WriteState, wishOf } from './machine/writeState';
import { cancelWhenAsked } from './requests';
import { wasReset } from './reset';
import { answerOf, type Write } from './step';
import { giveUpWhenAsked, remember } from './weigh';
import { pathOf } from './writes';

/** The time at which the call that a write wants is due. A paused order sends nothing. */
export function dueMsOf(live: LiveOrder, state: WriteState): number {
  const { want, atMs } = wishOf(state);
  if (want === 'send' && isPaused(live)) return Number.POSITIVE_INFINITY;
  if (!isPolled(state) || live.nextPollMs === undefined) return atMs;
  return live.nextPollMs;
}

/** Plans the next poll of a transaction that settles, unless it is planned. */
export function planPoll(live: LiveOrder, write: Write, state: WriteState): void {
  if (!isPolled(state) || live.nextPollMs !== undefined) return;
  const poll = (state.times ?? 0) + 1;
  const withinMs = noticeWithinMs(live, write);
  const delayMs = withinMs === undefined ? settleDelayMs(poll) : noticedDelayMs(poll, withinMs);
  live.nextPollMs = Date.now() + delayMs;
}

/** True while the table of polls counts. Final words and contradictions have their own delays. */
function isPolled(state: WriteState): boolean {
  return wishOf(state).want === 'watch' && state.final === undefined && !isAsking(state);
}

/** The time by which the service will tell of the transaction's end, if it has not done so. */
function noticeWithinMs(live: LiveOrder, { step, item }: Write) {
  const isNamed = isNamedWhole({ workflowId: workflowInfo().workflowId, step, item });
  return isNamed && !live.noticed ? live.opened.noticeWithinMs : undefined;
}

/**
 * Makes the call that a write of an order wants, and hears its answer. Returns false if there was
 * none: then the trouble is noted, and the call is made again later. A record that nobody can read
 * is an answer.
 */
export async function ask(live: LiveOrder, write: Write, finding?: Finding): Promise<boolean> {
  const { want } = wishOf(live.writes.stateOf(write));
  if (want === 'nothing') return true;
  if (want === 'send' && hear(live, write, { kind: 'sending' }).stage !== 'sending') return true;
  const question = questionOf(live, write, finding);
  const { stage, final, transactionId } = question.state;
  const isSettling = stage === 'accepted' && final === undefined;
  if (want === 'watch' && isSettling) await cancelWhenAsked(live, write, transactionId);
  try {
    const answer = await calls[want](question);
    live.trouble = undefined;
    hear(live, write, answer);
    return true;
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    const refused = { kind: 'answered', answer: answerOf(stop) } as const;
    const { ofRecord } = stop.facts;
    const fault = ofRecord ? stop.message : undefined;
    const after = hear(live, write, want === 'send' ? refused : { kind: 'unread', fault });
    if (want === 'watch') live.nextPollMs = after.notBeforeMs;
    const trouble = want === 'send' ? stop : unread(stop);
    // A contradiction is asked about, so that it is no trouble of a read any more.
    const isShown = want === 'send' ? after.stage === 'ready' : !(ofRecord && isAsking(after));
    live.trouble = isShown ? trouble : undefined;
    if (live.trouble !== undefined) noteStop(live, stop);
    return want !== 'send' && ofRecord === true;
  }
}

function questionOf(live: LiveOrder, write: Write, finding: Finding | undefined): WriteQuestion {
  const { opened, carried } = live;
  const state = live.writes.stateOf(write);
  const { firstLook } = opened;
  const isFirst = state.stage === 'unseen' && !wasReset(live) && !carried.hasLooked;
  const isKnown = isFirst && firstLook?.path === pathOf(write);
  if (isKnown) carried.hasLooked = true;
  return {
    write,
    state,
    identity: live.writes.identityOf(write),
    opened,
    carried,
    firstLook: isKnown ? { ...firstLook.found, askedAtMs: carried.openedAtMs ?? 0 } : undefined,
    known: () => findingsOn(live, write),
    notice: noticeOf(live, write),
    finding,
  };
}

/** Tells the worker whether notices arrive, so that later orders know when to poll. */
function noticeOf(live: LiveOrder, write: Write): NoticeState | undefined {
  if (live.noticed) return 'came';
  return noticeWithinMs(live, write) === undefined ? undefined : 'awaited';
}

/**
 * The findings of people on a write in all runs, the newest attempt first. A run that was reset
 * does not remember its own.
 */
async function findingsOn(live: LiveOrder, write: Write): ReturnType<WriteQuestion['known']> {
  const told = wasReset(live) ? await longReads('what was decided before').readDecided() : {};
  const findings: Record<string, unknown> = { ...live.opened.memory.findings, ...told.findings };
  const { generation: last } = live.writes.stateOf(write);
  return Array.from({ length: last + 1 }, (_, back) => {
    const generation = last - back;
    return { generation, accepted: findings[`${pathOf(write)}#${generation}`] };
  });
}

/** Applies an event to the write of an order, and notes for people what it has changed. */
function hear(live: LiveOrder, write: Write, happening: Happening): WriteState {
  const before = live.writes.stateOf(write);
  const after = live.writes.hear(write, happening);
  const { stage, why = '', record } = after;
  const { kind } = happening;
  const { doing } = write;
  if (kind === 'looked' && stage === 'accepted')
    noteDone(live, `${doing}: found, it had been accepted before`);
  if (stage === 'doubt')
    noteFault(live, `the ${doing} may have been accepted, and is looked up: ${why}`);
  if (stage === 'unknown') noteFault(live, `nobody knows what became of the ${doing}. ${why}`);
  if (stage === 'disputed') noteFault(live, why);
  if (kind === 'record' || kind === 'lost') live.nextPollMs = undefined;
  if (kind === 'record' && record !== undefined) noteFinal(happening.record);
  if (kind === 'receipt') notePlace(live, before, happening.receipt);
  // The generation before is proven to have had no effect, or to have been the payment.
  if (before.goesOnAs !== undefined && after.goesOnAs === undefined) remember(live, write, after);
  // A service that is away tells nothing: the next answer decides.
  if (kind !== 'unread' || happening.fault !== undefined) giveUpWhenAsked(live, write, after);
  return after;
}

function notePlace({ carried }: LiveOrder, { record }: WriteState, { place }: ReceiptAnswer): void {
  if (place && record) carried.places = { ...carried.places, [record.id]: place };
}
