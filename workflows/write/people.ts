import { condition } from '@temporalio/workflow';
import { type Finding, faultOf, noSkip } from '../../src/orders/progress/resolve';
import { askOnce, refusal, sends } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { noteDone, noteRequest } from '../order/show';
import { ask } from './ask';
import { isPaidBy, refusalOf } from './machine/finding';
import { isAsking, type WriteState } from './machine/writeState';
import { isToCancel, requestOf } from './requests';
import type { Write } from './step';
import { keepFinding, weigh } from './weigh';

/** The write of an order that waits for a person's finding, and its state. */
export function askingIn(live: LiveOrder): { write: Write; state: WriteState } | undefined {
  const { write } = live;
  if (write === undefined) return undefined;
  const state = live.writes.stateOf(write);
  return isAsking(state) ? { write, state } : undefined;
}

/**
 * A finding counts only while exactly that write waits for one. After a reset Temporal delivers old
 * updates again.
 */
export function refuseUnfit(live: LiveOrder, finding: Finding): void {
  const fault = faultOf(finding);
  if (fault !== undefined) throw new Error(fault);
  const asking = askingIn(live);
  const { target: named } = finding;
  const own = asking && live.writes.targetOf(asking.write);
  if (asking === undefined || own !== named) {
    const open = own === undefined ? 'None does now' : `${own} does`;
    throw new Error(`target: ${named} does not wait for a finding. ${open}.`);
  }
  const { state } = asking;
  if (finding.finding === 'skip' && state.stage !== 'disputed') throw new Error(noSkip);
  if (live.isWeighing) throw new Error(`target: ${named} has a finding that is being checked.`);
  if (finding.finding !== 'noEffect') return;
  const isCancelled = live.carried.cancelAsked;
  const now = { nowMs: Date.now(), keyLifetimeMs: live.opened.keyLifetimeMs };
  const refusal = refusalOf({ ...state, isCancelled }, { finding }, now);
  if (refusal !== undefined) throw new Error(refusal);
}

/** Weighs a person's finding, once the write was read again. Returns the answer to that person. */
export async function decide(live: LiveOrder, finding: Finding): Promise<string> {
  const { write } = live;
  if (write === undefined) throw refusal(`target: ${finding.target} does not wait for a finding.`);
  live.isWeighing = true;
  try {
    return await askOnce(() => readAndWeigh(live, write, finding));
  } finally {
    live.isWeighing = false;
    live.woken = true;
  }
}

async function readAndWeigh(live: LiveOrder, write: Write, finding: Finding): Promise<string> {
  const { target: named } = finding;
  const isShown = isPaidBy(live.writes.stateOf(write), finding);
  if (!isShown && !(await ask(live, write, finding)))
    throw refusal(`The service does not answer now. ${live.trouble?.message ?? ''} Try again.`);
  const { stage, isFound, goesOnAs } = live.writes.stateOf(write);
  if (stage === 'accepted' && isFound && goesOnAs === undefined)
    return `${named} was found in the service's list.`;
  if (!isAsking({ stage })) return `${named} has settled by itself.`;
  const words = await weigh(live, write, finding);
  keepFinding(live, write, finding);
  return words;
}

/** Refuses an acceleration where no transaction settles, or where another request comes first. */
export function refuseToAccelerate(live: LiveOrder): void {
  const { write, state } = askingIn(live) ?? {};
  if (write !== undefined) throw new Error(`The ${write.doing} is not accelerated: ${state?.why}`);
  const { transactionId } = settlingIn(live) ?? {};
  if (transactionId === undefined)
    throw new Error('No transaction of this order settles now, so none can be accelerated.');
  if (isToCancel(live, transactionId))
    throw new Error(`Transaction ${transactionId} is not accelerated: it is being cancelled.`);
  if (live.accelerating !== undefined)
    throw new Error(`Transaction ${transactionId} is being accelerated already.`);
}

/** The transaction of an order that has been accepted, and is not final. */
function settlingIn(live: LiveOrder) {
  const { write } = live;
  if (write === undefined) return undefined;
  const { stage, record, transactionId } = live.writes.stateOf(write);
  const isSettling = stage === 'accepted' && record === undefined && transactionId !== undefined;
  return isSettling ? { write, transactionId } : undefined;
}

/**
 * Asks the service to pay a higher fee for the transaction that settles now. Each wish has a key of
 * its own. Returns the answer to the person who wishes it, at the latest once the transaction is
 * final.
 */
export async function accelerateWrite(live: LiveOrder): Promise<string> {
  const { write, transactionId } = settlingIn(live) ?? {};
  const tooLate = 'The transaction is final by now and cannot be accelerated.';
  if (write === undefined || transactionId === undefined) throw refusal(tooLate);
  noteRequest(live, `to be accelerated: ${transactionId}`);
  live.accelerating = transactionId;
  try {
    const isFinal = condition(() => settlingIn(live)?.transactionId !== transactionId);
    const request = askToAccelerate(live, write, transactionId);
    const answer = await Promise.race([request, isFinal]);
    if (answer === undefined) throw refusal(`The ${write.doing} is final by now.`);
    return answer;
  } finally {
    live.accelerating = undefined;
  }
}

async function askToAccelerate(live: LiveOrder, write: Write, id: string): Promise<string> {
  const { accelerations = {} } = live.carried;
  const generation = (accelerations[id] ?? 0) + 1;
  const { doing } = write;
  const request = requestOf(live, write, { step: 'accelerate', generation, transactionId: id });
  const ask = sends(`ask to accelerate the ${doing}`);
  const lead = `The ${doing} is not accelerated: `;
  await askOnce(() => ask.accelerateTransaction(request), lead);
  live.carried.accelerations = { ...accelerations, [id]: generation };
  noteDone(live, `${doing}: the service was asked to accelerate it`);
  return `The service was asked to accelerate transaction ${id}.`;
}
