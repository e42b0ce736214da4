import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { exitsOf } from '../../src/orders/progress/exits';
import {
  type Finding,
  faultOf,
  lengthFault,
  noSkip,
  paidSentence,
} from '../../src/orders/progress/resolve';
import type { Progress } from '../../src/orders/progress/status';
import { refusalOf } from '../write/finding';
import { askToCancel } from './cancel';
import { type Answering, type LiveOrder, parkedState } from './liveOrder';
import { pauseOrder, resumeOrder } from './pauseOrder';
import { asked } from './show';

export const wakeSignal = defineSignal<[{ transactionId?: string }?]>('wake');
/** The service has told that a transaction is final. The signal has no content to believe. */
export const noticedSignal = defineSignal('noticed');
export const cancelUpdate = defineUpdate<void, [{ reason: string }]>('cancel');
export const pauseUpdate = defineUpdate<void, [{ reason: string }]>('pause');
export const resumeUpdate = defineUpdate<void>('resume');
export const accelerateUpdate = defineUpdate<string>('accelerate');
export const resolveUpdate = defineUpdate<string, [Finding]>('resolve');
export const progressQuery = defineQuery<Progress>('progress');

/** Answers queries, signals and updates while the order runs. */
export function answer(live: LiveOrder): void {
  const { workflowId } = workflowInfo();
  const shown = () => ({ ...live.progress, exits: exitsOf(live.progress, workflowId) });
  setHandler(progressQuery, shown, {
    description: 'Where the order stands: what has happened, what it waits for, since when.',
  });
  setHandler(
    wakeSignal,
    () => {
      live.woken = true;
    },
    { description: 'Look again now instead of at the next tick. Its content is not believed.' },
  );
  const notice = (): void => {
    live.noticed = true;
    live.woken = true;
  };
  setHandler(noticedSignal, notice, {
    description: 'The service has told that a transaction of this order is final. It is read now.',
  });
  setHandler(cancelUpdate, ({ reason }) => askToCancel(live, reason), {
    description:
      'Stop the order: {"reason": "…"}. The service is asked to cancel what it has accepted. The ' +
      'order ends as cancelled, or as completed if that was too late. A write of which the records ' +
      'contradict each other is given up, unless the chain shows that it has paid.',
    validator: (request) => {
      refuseWithoutReason(request);
      const { parked: target } = live;
      const { paidIn } = parkedState(live) ?? {};
      if (target !== undefined && paidIn !== undefined)
        throw new Error(paidSentence({ target, paidIn }));
    },
  });
  setHandler(pauseUpdate, ({ reason }) => pauseOrder(live, reason), {
    description:
      'Hold back the next write: {"reason": "…"}. Writes that the service has accepted go on ' +
      'to their end, and reads go on.',
    validator: refuseWithoutReason,
  });
  setHandler(resumeUpdate, () => resumeOrder(live), {
    description: 'Let a paused order go on: {}.',
    validator: () => {
      if (live.carried.paused === undefined) throw new Error('The order is not paused.');
    },
  });
  setHandler(accelerateUpdate, () => accelerate(live), {
    description:
      'Have the service pay a higher fee for the transaction that settles now: {}. It may be used ' +
      'again.',
    validator: () => refuseToAccelerate(live),
  });
  // The write that waits for the finding checks it, and answers.
  const ask = (finding: Finding) =>
    answering((request) => {
      live.asked = { finding, ...request };
    });
  setHandler(resolveUpdate, ask, {
    description:
      'Say what became of a write that is unknown: {"target": "<step>/<item>#<generation>", ' +
      '"finding": "completed" | "noEffect" | "retry", "evidence": "…"}. It is verified.',
    validator: (finding) => refuseUnfit(live, finding),
  });
}

/** Refuses a request of a person without a reason, which whoever reads it later needs. */
export function refuseWithoutReason(request: unknown): void {
  const { reason }: { reason?: unknown } = typeof request === 'object' ? (request ?? {}) : {};
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new Error('reason: is missing. Say why, for whoever reads this later.');
  }
  const fault = lengthFault(reason);
  if (fault !== undefined) throw new Error(`reason: ${fault}`);
}

function refuseToAccelerate({ settling }: LiveOrder): void {
  if (settling === undefined) {
    throw new Error('No transaction of this order settles now, so none can be accelerated.');
  }
  if (settling.accelerating !== undefined) {
    throw new Error(`Transaction ${settling.transactionId} is being accelerated already.`);
  }
}

/** Hands the request to the settling transaction. Answers once the service has answered. */
function accelerate(live: LiveOrder): Promise<string> {
  return answering((request) => {
    const { settling } = live;
    if (settling === undefined)
      return request.refuse('The transaction is final by now and cannot be accelerated.');
    asked(live, `to be accelerated: ${settling.transactionId}`);
    settling.accelerating = request;
    live.woken = true;
  });
}

/** Hands over a request that is answered later. */
function answering(hand: (request: Answering) => void): Promise<string> {
  return new Promise((answer, reject) => {
    const refuse = (why: string) => reject(ApplicationFailure.nonRetryable(why, 'Refused'));
    hand({ answer, refuse });
  });
}

/**
 * A finding counts only while exactly that write waits for one. After a reset Temporal delivers old
 * updates again.
 */
function refuseUnfit(live: LiveOrder, finding: Finding): void {
  const { parked, asked: earlier } = live;
  const state = parkedState(live);
  const fault = faultOf(finding);
  if (fault !== undefined) throw new Error(fault);
  const { target } = finding;
  if (parked !== target || state === undefined) {
    const open = parked === undefined ? 'None does now' : `${parked} does`;
    throw new Error(`target: ${target} does not wait for a finding. ${open}.`);
  }
  if (finding.finding === 'skip' && state.stage !== 'disputed') throw new Error(noSkip);
  if (earlier !== undefined)
    throw new Error(`target: ${target} has a finding that is being checked.`);
  if (finding.finding !== 'noEffect') return;
  const isCancelled = live.carried.cancelAsked;
  const now = { nowMs: Date.now(), keyLifetimeMs: live.opened.keyLifetimeMs };
  const refusal = refusalOf({ ...state, isCancelled }, { finding }, now);
  if (refusal !== undefined) throw new Error(refusal);
}
