import { workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import type { Notice } from '../../activities/guard/noticeSense';
import type { Found } from '../../activities/lookUp';
import { isNamedWhole } from '../../src/custody/readable';
import type { Finding } from '../../src/orders/progress/resolve';
import { longReads, reads, type Stop, stopOf } from '../order/custody';
import type { LiveOrder } from '../order/liveOrder';
import { noteFinal } from '../order/meter';
import { wasReset } from '../order/reset';
import { finished, stumbled } from '../order/show';
import { noticedDelayMs, settleDelayMs } from './delays';
import { type Begin, together, trying } from './drive';
import { happened, identity, stateOf, target } from './happened';
import { depthOf } from './proof';
import { cancelWhenAsked } from './requests';
import { answerOf, receiptOf, type Step, type Transacting, transactionIdIn } from './step';
import { faultsBy, learnToken, strangeToken } from './token';
import { giveUpWhenAsked } from './weigh';
import {
  type Happening,
  isAsking,
  type Looked,
  type Wish,
  type WriteState,
  wishOf,
} from './writeState';

/** A write of an order. Only a write that is a transaction is watched. */
export type Write<T = unknown> = Step<T> | (Step<T> & Transacting);

/** The calls that the write of an order wants: each is begun once it is due. */
export function callsOf(live: LiveOrder, write: Write): Begin[] {
  const begin = (
    want: Wish['want'],
    call: () => Promise<unknown>,
    dueMs = (state: WriteState): number => wishOf(state).atMs,
  ): Begin => {
    return () => {
      const state = stateOf(live, write);
      const of = wishOf(state).want === want ? [state] : [];
      return together(live, { want, of, dueMs, call });
    };
  };
  const calls = [
    begin('lookUp', () => lookUp(live, write)),
    begin(
      'send',
      () => send(live, write),
      (state) => heldUntilMs(live, state),
    ),
  ];
  if (!('effect' in write)) return calls;
  return [
    ...calls,
    begin(
      'watch',
      () => watch(live, write),
      (state) => pollMs(live, write, state),
    ),
    begin('receipt', () => checkReceipt(live, write)),
  ];
}

/** A paused order sends nothing. An order that is to be cancelled passes, so that it can stop. */
function heldUntilMs({ carried }: LiveOrder, state: WriteState): number {
  const isHeld = carried.paused !== undefined && !carried.cancelAsked;
  return isHeld ? Number.POSITIVE_INFINITY : wishOf(state).atMs;
}

/** Applies an event to the write of an order, and notes for people what it has changed. */
function hear(live: LiveOrder, write: Write, happening: Happening): WriteState {
  const after = happened(live, write, happening);
  const { stage, why = '' } = after;
  const { doing } = write;
  if (happening.kind === 'looked' && stage === 'accepted')
    finished(live, `${doing}: found, it had been accepted before`);
  if (stage === 'doubt')
    stumbled(live, `the ${doing} may have been accepted, and is looked up: ${why}`);
  if (stage === 'unknown') stumbled(live, `nobody knows what became of the ${doing}. ${why}`);
  if (stage === 'disputed') stumbled(live, why);
  return after;
}

async function send<T>(live: LiveOrder, write: Step<T>): Promise<void> {
  if (hear(live, write, { kind: 'sending' }).stage !== 'sending') return;
  try {
    const accepted = await write.send(identity(live, write));
    const transactionId = transactionIdIn(accepted);
    const answer = { kind: 'accepted', accepted, transactionId } as const;
    live.trouble = undefined;
    hear(live, write, { kind: 'answered', answer });
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    const { stage } = hear(live, write, { kind: 'answered', answer: answerOf(stop) });
    live.trouble = stage === 'ready' ? stop : undefined;
    if (live.trouble !== undefined) tellTrouble(live, stop);
  }
}

function tellTrouble(live: LiveOrder, { message, facts }: Stop): void {
  stumbled(live, message);
  const { approval } = facts;
  for (const person of approval?.given ?? [])
    finished(live, `${person} has approved ${approval?.target}`);
}

/** Looks a write up in the service's list. Returns false if the service did not answer. */
export async function lookUp(live: LiveOrder, write: Write, finding?: Finding): Promise<boolean> {
  const found = await tracesOf(live, write, finding);
  hear(live, write, found === undefined ? { kind: 'unread' } : { kind: 'looked', ...found });
  giveUpWhenAsked(live, write);
  return found !== undefined;
}

/**
 * The traces of a write. Besides those in the service's list, a transaction counts that somebody
 * has found in an earlier run. That one may lack the reference.
 */
async function tracesOf(
  live: LiveOrder,
  write: Write,
  finding: Finding | undefined,
): Promise<Looked | undefined> {
  const found = await listed(live, write, finding);
  const findings = found && (await findingsBefore(live));
  if (found === undefined || findings === undefined) return undefined;
  const accepted = findings[target(live, write)];
  const id = transactionIdIn(accepted);
  if (id === undefined || found.traces.some(({ record }) => record?.id === id)) return found;
  const { generation } = stateOf(live, write);
  // Its state is read by the next poll.
  const trace = { generation, accepted, record: { id, state: '' } };
  return { ...found, traces: [...found.traces, trace] };
}

/** What people have found in all runs. A run that was reset does not remember its own. */
async function findingsBefore(live: LiveOrder): Promise<Record<string, unknown> | undefined> {
  const { findings = {} } = live.opened.memory;
  if (!wasReset(live)) return findings;
  const told = await trying(live, () => longReads('what was decided before').readDecided());
  return told && { ...findings, ...told.findings };
}

/** The answer of the list. The guard has read it for the first write of the order already. */
async function listed(
  live: LiveOrder,
  write: Write,
  finding: Finding | undefined,
): Promise<(Found<unknown> & Pick<Looked, 'askedAtMs'>) | undefined> {
  const { firstLook } = live.opened;
  const { stage } = stateOf(live, write);
  const isFirst = stage === 'unseen' && !wasReset(live) && !live.carried.hasLooked;
  if (isFirst && firstLook?.path === `${write.step}/${write.item}`) {
    live.carried.hasLooked = true;
    return { ...firstLook.found, askedAtMs: live.carried.openedAtMs ?? 0 };
  }
  const { parts } = identity(live, write);
  const askedAtMs = Date.now();
  const depth = depthOf([stateOf(live, write)], finding);
  const found = await trying(live, () =>
    write.find(longReads(`look for an earlier ${write.doing}`), { parts, ...depth }),
  );
  return found && { ...found, askedAtMs };
}

/** When an accepted transaction is polled. A final word, or a contradiction, is read when it says. */
function pollMs(live: LiveOrder, write: Transacting, state: WriteState): number {
  if (state.final !== undefined || isAsking(state)) return wishOf(state).atMs;
  live.nextPollMs ??= Date.now() + pollDelayMs(live, write, state);
  return live.nextPollMs;
}

function pollDelayMs(live: LiveOrder, write: Transacting, { times = 0 }: WriteState): number {
  const withinMs = noticeWithinMs(live, write);
  return withinMs === undefined ? settleDelayMs(times + 1) : noticedDelayMs(times + 1, withinMs);
}

/** The time by which the service will tell of the transaction's end, if it has not done so. */
function noticeWithinMs(live: LiveOrder, { step, item }: Transacting): number | undefined {
  const { workflowId } = workflowInfo();
  const isNamed = !live.noticed && isNamedWhole({ workflowId, step, item });
  return isNamed ? live.opened.noticeWithinMs : undefined;
}

/** Reads the record of a transaction. Returns false if the service did not answer. */
export async function watch(live: LiveOrder, write: Transacting): Promise<boolean> {
  const { transactionId: id = '', times = 0 } = stateOf(live, write);
  const { doing } = write;
  await cancelWhenAsked(live, write, id);
  const told = await trying(live, async () => ({
    record: await reads(`${doing}: poll ${times + 1}`).getTransaction({
      id,
      ...noticeOf(live, write),
    }),
  }));
  live.nextPollMs = undefined;
  const heard = told && (await recordEvent(live, write, told.record));
  if (heard === undefined) {
    live.nextPollMs = hear(live, write, { kind: 'unread' }).notBeforeMs;
    return false;
  }
  const { record } = hear(live, write, heard);
  if (record !== undefined && told?.record !== undefined) noteFinal(told.record);
  giveUpWhenAsked(live, write);
  return true;
}

type Read = Awaited<ReturnType<Activities['getTransaction']>>;

/** Compares a record with its write. Undefined if its token could not be read. */
async function recordEvent(
  live: LiveOrder,
  write: Transacting,
  record: Read,
): Promise<Happening | undefined> {
  if (record === undefined) return { kind: 'lost' };
  const read = { step: write, record };
  const id = strangeToken(read);
  const { readToken } = reads('which token is it');
  const token =
    id === undefined ? undefined : await trying(live, () => learnToken(live, id, readToken));
  if (id !== undefined && token === undefined) return undefined;
  return { kind: 'record', record, faults: faultsBy(live.opened, { ...read, token }) };
}

/** Tells the worker whether notices arrive, so that later orders know when to poll. */
function noticeOf(live: LiveOrder, write: Transacting): { notice?: Notice } {
  if (live.noticed) return { notice: 'came' };
  return noticeWithinMs(live, write) === undefined ? {} : { notice: 'awaited' };
}

/** Asks the chain about a final record. Returns false if it did not answer. */
export async function checkReceipt(live: LiveOrder, write: Transacting): Promise<boolean> {
  const state = stateOf(live, write);
  const question = receiptOf(write, state, live.opened.earlier);
  if (question === undefined) return false;
  const receipt = await trying(live, () =>
    longReads(`${write.doing}: receipt on the chain`).checkReceipt(question),
  );
  if (receipt === undefined) {
    hear(live, write, { kind: 'unread' });
    return false;
  }
  const { place } = receipt;
  const { id } = state.record ?? {};
  if (place && id) live.carried.places = { ...live.carried.places, [id]: place };
  hear(live, write, { kind: 'receipt', receipt });
  giveUpWhenAsked(live, write);
  return true;
}
