import { ApplicationFailure, condition } from '@temporalio/workflow';
import type { Accepted } from '../../activities/transactions';
import type { Settlement } from '../../src/orders/input/settlement';
import { noteSettled } from '../order/archiveOrder';
import { cancellation, stopWhenAsked } from '../order/cancel';
import type { LiveOrder } from '../order/liveOrder';
import { noteMoney } from '../order/meter';
import { isPaused } from '../order/pauseOrder';
import { noteDone, showAll } from '../order/show';
import { ask, dueMsOf, planPoll } from './ask';
import { beginCall, drive } from './drive';
import { type FinalRecord, isOver, type WriteState, wishOf } from './machine/writeState';
import { once } from './once';
import type { Step, Transacting, Write, WriteName } from './step';
import { viewOf } from './view';
import { pathOf } from './writes';

/**
 * Makes a write until the service has accepted it, and returns the service's answer. In every run
 * it is looked up before it is sent. Throws Refused if it was not accepted, and a cancellation if
 * it was stopped. While it is not known if it was accepted, it is looked up, and then a person is
 * asked.
 */
export async function write<T>(live: LiveOrder, step: Step<T>): Promise<T> {
  return once(live, pathOf(step), async () => {
    const state = await until(live, step, isAccepted);
    if (isUnaccepted(state)) throw endOf(step, state);
    return acceptedIn(state);
  });
}

/**
 * Looks a write up before its first attempt, until it is certain whether the service has it.
 * Returns the service's answer if an earlier run of the order has sent it.
 */
export async function lookBefore<T>(
  live: LiveOrder,
  step: Step<T>,
  { isFresh = false } = {},
): Promise<T | undefined> {
  if (isFresh) live.writes.apply(step, { kind: 'lookAgain' });
  const state = await until(live, step, (state) => {
    return wishOf(state).want !== 'lookUp' && state.goesOnAs === undefined;
  });
  if (isUnaccepted(state)) throw endOf(step, state);
  return state.isFound && isAccepted(state) ? acceptedIn(state) : undefined;
}

/** The service's answer to a write. The step of that write has read it, and knows its type. */
function acceptedIn<T>({ accepted }: WriteState): T {
  return accepted as T;
}

/**
 * Waits on durable timers until the transaction is final, however long that takes. Returns its end
 * if it is COMPLETE, on the chain too where that is read. Throws Failed with its record otherwise,
 * or a cancellation if one was requested. An unknown word of state is not final yet.
 */
export async function settle(
  live: LiveOrder,
  step: Transacting,
  { transactionId, key, grounds }: Accepted,
): Promise<Settlement> {
  return once(live, `settled ${transactionId}`, async () => {
    const state = await until(live, step, isOver);
    live.noticed = false;
    const { stage, record, times = 0 } = state;
    noteSettled(live, step, { state, grounds });
    if (stage === 'completed' && record !== undefined) {
      noteMoney(step.expected);
      noteDone(live, `${step.doing}: settled in ${record.txHash}`);
      return settlementOf(record, { key, polls: times + 1, ...(grounds && { grounds }) });
    }
    const end = cameToNothing(live, step, state);
    noteOver(live, step);
    throw end;
  });
}

/** Drives a write until its state is one that is wanted, or an end. */
async function until(
  live: LiveOrder,
  step: Write,
  isWanted: (state: WriteState) => boolean,
): Promise<WriteState> {
  // It is known from now on, so that a reset makes this run forget it.
  live.writes.add(step, live.writes.stateOf(step));
  Object.assign(live, { write: step, nextPollMs: undefined });
  const isReached = (): boolean => {
    if (live.pending.size > 0 || live.isWeighing) return false;
    const state = live.writes.stateOf(step);
    if (isWanted(state) || isOver(state)) return true;
    stopWhenAsked(live);
    return false;
  };
  try {
    await drive(live, {
      begins: [() => begin(live, step)],
      isOver: isReached,
      wait: (ms) => waitFor(live, step, ms),
    });
  } finally {
    Object.assign(live, { write: undefined, trouble: undefined, woken: false });
  }
  return live.writes.stateOf(step);
}

/** Begins the call that a write wants, once it is due. */
function begin(live: LiveOrder, step: Write): number {
  const state = live.writes.stateOf(step);
  const { want } = wishOf(state);
  planPoll(live, step, state);
  const of = want === 'nothing' ? [] : [state];
  const dueMs = (): number => dueMsOf(live, state);
  return beginCall(live, { want, of, dueMs, call: () => ask(live, step) });
}

function isUnaccepted({ stage }: WriteState): boolean {
  return stage === 'refused' || stage === 'stopped' || stage === 'givenUp';
}

function isAccepted({ accepted, goesOnAs }: WriteState): boolean {
  return accepted !== undefined && goesOnAs === undefined;
}

/** Shows what a write waits for. Returns at a moment, or once something has happened. */
async function waitFor(live: LiveOrder, step: Step<unknown>, untilMs: number): Promise<void> {
  const { trouble } = live;
  const state = live.writes.stateOf(step);
  const named = { doing: step.doing, target: live.writes.targetOf(step) };
  const seen = { ...named, state, trouble, isPaused: isPaused(live) };
  const view = viewOf(seen);
  if (view !== undefined) showAll(live, view.status, view);
  const isWoken = (): boolean => live.woken;
  if (untilMs === Number.POSITIVE_INFINITY) await condition(isWoken);
  else {
    const delayMs = Math.max(untilMs - Date.now(), 1);
    const isEarly = await condition(isWoken, delayMs, { summary: view?.summary ?? '' });
    if (!isEarly) live.reachedMs = untilMs;
  }
}

/** The end of a write that the service has not accepted. */
function endOf({ doing }: Step<unknown>, { stage, why = '' }: WriteState): Error {
  if (stage === 'stopped') return cancellation();
  if (stage === 'refused') return ApplicationFailure.nonRetryable(why, 'Refused');
  return ApplicationFailure.nonRetryable(`The ${doing} is given up. ${why}`, 'Failed');
}

type Known = Pick<Settlement, 'key' | 'polls' | 'grounds'>;

function settlementOf(transaction: FinalRecord, known: Known) {
  const { id: transactionId, txHash = '', blockHeight, networkFee, updateDate = '' } = transaction;
  const cost = { blockHeight, networkFee, settledAt: updateDate };
  return { transactionId, state: 'COMPLETE' as const, txHash, ...cost, ...known };
}

/** The end of an order whose transaction had no effect: cancelled if that was asked, or failed. */
function cameToNothing(
  live: LiveOrder,
  step: Transacting,
  end: Pick<WriteState, 'stage' | 'why' | 'record'>,
): Error {
  const { stage, why = '', record } = end;
  const proof = { ...(record === undefined ? {} : { record }), target: live.writes.targetOf(step) };
  if (stage === 'stopped') return cancellation(proof);
  const words = record === undefined ? '' : why.replace('Its transaction', `The ${step.doing}`);
  return ApplicationFailure.create({
    message: words || `The ${step.doing} is given up. ${why}`,
    type: 'Failed',
    nonRetryable: true,
    details: [proof],
  });
}

/** Says that nothing of a write is pending any more. */
export function noteOver({ carried }: { carried: { over: string[] } }, write: WriteName): void {
  const path = pathOf(write);
  if (!carried.over.includes(path)) carried.over.push(path);
}
