import { condition } from '@temporalio/workflow';
import type { Found } from '../../activities/lookUp';
import { isDoubtful, type LiveOrder } from '../order/liveOrder';
import { decidedBefore, readThrough } from '../order/read';
import { finished, showAll, stumbled } from '../order/show';
import { answerWith, weighAsked } from './ask';
import { happened, identity, stateOf, target } from './happened';
import { depthOf } from './proof';
import { type Step, transactionIdIn } from './step';
import { isAsking, type Looked, wishOf } from './writeState';

/**
 * Looks a write up in the service's list, when that is due. While it is in doubt it is looked up
 * over the grace period, then ever more slowly, and a person is asked.
 */
export async function lookUp<T>(live: LiveOrder, step: Step<T>): Promise<void> {
  await untilDue(live, step);
  // A finding that arrives during this read waits for the next one.
  const { asked } = live;
  const found = await tracesOf(live, step);
  const before = stateOf(live, step);
  const after = happened(live, step, { kind: 'looked', ...found });
  if (after.stage === 'accepted') {
    finished(live, `${step.doing}: found, it had been accepted before`);
    live.parked = undefined;
    answerWith(live, `${target(live, step)} was found in the service's list.`);
  } else if (asked !== undefined && isAsking(before)) {
    await weighAsked(live, step, asked);
  }
}

/**
 * The traces of a write. Besides those in the service's list, a transaction counts that somebody
 * has found in an earlier run. That one may lack the reference.
 */
async function tracesOf<T>(live: LiveOrder, step: Step<T>): Promise<Looked> {
  const found = await listed(live, step);
  const { findings = {} } = await decidedBefore(live);
  const accepted = findings[target(live, step)];
  const id = transactionIdIn(accepted);
  if (id === undefined || found.traces.some(({ record }) => record?.id === id)) return found;
  const { generation } = stateOf(live, step);
  // Its state is read by the next poll.
  const trace = { generation, accepted, record: { id, state: '' } };
  return { ...found, traces: [...found.traces, trace] };
}

/** The answer of the list. The guard has read it for the first write of the order already. */
async function listed<T>(
  live: LiveOrder,
  step: Step<T>,
): Promise<Found<T> & Pick<Looked, 'askedAtMs'>> {
  const { firstLook } = live.opened;
  const { stage } = stateOf(live, step);
  const isFirst = stage === 'unseen' && !isDoubtful(live) && !live.carried.hasLooked;
  if (isFirst && firstLook?.path === `${step.step}/${step.item}`) {
    live.carried.hasLooked = true;
    return { ...(firstLook.found as Found<T>), askedAtMs: live.carried.openedAtMs ?? 0 };
  }
  const { parts } = identity(live, step);
  const askedAtMs = Date.now();
  const found = await readThrough(live, `look for an earlier ${step.doing}`, (from) =>
    step.find(from, { parts, ...depthOf([stateOf(live, step)], live.asked?.finding) }),
  );
  return { ...found, askedAtMs };
}

/** Waits until a look-up is due, and shows meanwhile why it is made. */
async function untilDue<T>(live: LiveOrder, step: Step<T>): Promise<void> {
  const state = stateOf(live, step);
  const { doing } = step;
  const { why = '', evidence = [] } = state;
  const delayMs = wishOf(state).atMs - Date.now();
  if (isAsking(state)) {
    await untilAsked(live, step);
  } else if (state.stage === 'doubt' && delayMs > 0) {
    const waitingFor = `a trace of the ${doing}, which may have been accepted: ${why}`;
    stumbled(live, `the ${doing} may have been accepted, and is looked up: ${why}`);
    showAll(live, 'Preparing', { waitingFor, target: target(live, step), evidence: [...evidence] });
    await condition(() => live.woken, delayMs, { summary: `look again for the ${doing}` });
    live.woken = false;
  }
}

/** Asks a person what became of a write. Returns once they answer, or once a look-up is due. */
export async function untilAsked(
  live: LiveOrder,
  step: { step: string; item: string; doing: string },
): Promise<void> {
  const state = stateOf(live, step);
  const { doing } = step;
  const { why = '', stage, paidIn } = state;
  const isUnknown = stage === 'unknown';
  const named = target(live, step);
  const shown = { target: named, evidence: [...(state.evidence ?? [])] };
  if (isUnknown) {
    stumbled(live, `nobody knows what became of the ${doing}. ${why}`);
    const waitingFor = `someone to say what became of the ${doing}. ${why}`;
    showAll(live, 'Unknown', { waitingFor, ...shown });
  } else {
    stumbled(live, why);
    const paid = paidIn === undefined ? {} : { paidIn };
    showAll(live, 'NeedsOperator', { waitingFor: why, ...shown, ...paid });
  }
  live.parked = named;
  const delayMs = Math.max(wishOf(state).atMs - Date.now(), 0);
  const summary = isUnknown ? `unknown: what became of the ${doing}?` : 'until it is fixed';
  if (delayMs > 0)
    await condition(() => live.woken || live.asked !== undefined, delayMs, { summary });
  live.woken = false;
}
