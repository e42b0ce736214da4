import {
  ApplicationFailure,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import { type Finding, faultOf, lengthFault } from '../src/orders/resolve';
import type { Progress } from '../src/orders/status';
import { askToCancel } from './cancel';
import { pauseOrder, resumeOrder } from './pauseOrder';
import type { Run } from './run';
import { asked } from './show';

export const wakeSignal = defineSignal<[{ transactionId?: string }?]>('wake');
export const cancelUpdate = defineUpdate<void, [{ reason: string }]>('cancel');
export const pauseUpdate = defineUpdate<void, [{ reason: string }]>('pause');
export const resumeUpdate = defineUpdate<void>('resume');
export const accelerateUpdate = defineUpdate<string>('accelerate');
export const resolveUpdate = defineUpdate<string, [Finding]>('resolve');
export const progressQuery = defineQuery<Progress>('progress');

/** What an order answers from outside while it is on its way. */
export function answer(run: Run): void {
  setHandler(progressQuery, () => run.progress, {
    description: 'Where the order stands: what has happened, what it waits for, since when.',
  });
  setHandler(
    wakeSignal,
    () => {
      run.woken = true;
    },
    { description: 'Look again now instead of at the next tick. Its content is not believed.' },
  );
  setHandler(cancelUpdate, ({ reason }) => askToCancel(run, reason), {
    description:
      'Stop the order: {"reason": "…"}. What the service has taken, it is asked to cancel; the ' +
      'order ends as cancelled, or as completed where that came too late.',
    validator: refuseWithoutReason,
  });
  setHandler(pauseUpdate, ({ reason }) => pauseOrder(run, reason), {
    description:
      'Hold back whatever would be sent next: {"reason": "…"}. What the service has taken goes on ' +
      'to its end, and reads go on.',
    validator: refuseWithoutReason,
  });
  setHandler(resumeUpdate, () => resumeOrder(run), {
    description: 'Let a paused order go on: {}.',
    validator: () => {
      if (run.carried.paused === undefined) throw new Error('The order is not paused.');
    },
  });
  setHandler(accelerateUpdate, () => hurry(run), {
    description:
      'Have the service pay a higher fee for the transaction that settles now: {}. It may be asked ' +
      'again.',
    validator: () => refuseToHurry(run),
  });
  setHandler(resolveUpdate, (finding) => ask(run, finding), {
    description:
      'Say what became of a write that is unknown: {"target": "<step>/<item>#<generation>", ' +
      '"finding": "completed" | "noEffect" | "retry", "evidence": "…"}. It is verified.',
    validator: (finding) => refuseUnfit(run, finding),
  });
}

function refuseWithoutReason(request: unknown): void {
  const { reason }: { reason?: unknown } = typeof request === 'object' ? (request ?? {}) : {};
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new Error('reason: is missing. Say why, for whoever reads this later.');
  }
  const fault = lengthFault(reason);
  if (fault !== undefined) throw new Error(`reason: ${fault}`);
}

function refuseToHurry({ settling }: Run): void {
  if (settling === undefined) {
    throw new Error('No transaction of this order settles now, so that none can be accelerated.');
  }
  if (settling.hurry !== undefined) {
    throw new Error(`Transaction ${settling.transactionId} is being accelerated already.`);
  }
}

/** Hands the wish to the transaction that settles; answers once the service has. */
function hurry(run: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => reject(ApplicationFailure.nonRetryable(reason, 'Refused'));
    if (run.settling === undefined) return refuse('What was to be accelerated is final by now.');
    asked(run, `to be accelerated: ${run.settling.transactionId}`);
    run.settling.hurry = { answer: resolve, refuse };
    run.woken = true;
  });
}

/** Hands a finding to the write that waits for it; answers once that has been held against it. */
function ask(run: Run, finding: Finding): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => reject(ApplicationFailure.nonRetryable(reason, 'Refused'));
    run.asked = { finding, answer: resolve, refuse };
  });
}

/**
 * A finding counts only while exactly that write waits for one: after a reset Temporal hands old
 * updates in again.
 */
function refuseUnfit(run: Run, finding: Finding): void {
  const fault = faultOf(finding);
  if (fault !== undefined) throw new Error(fault);
  const { parked, asked: earlier } = run;
  const { target } = finding;
  if (parked?.target !== target) {
    const open = parked === undefined ? 'None does now' : `${parked.target} does`;
    throw new Error(`target: ${target} does not wait for a finding. ${open}.`);
  }
  if (earlier !== undefined)
    throw new Error(`target: ${target} has a finding that is being checked.`);
  const isSent = finding.finding === 'noEffect' && !run.carried.cancelAsked;
  if (isSent && Date.now() > parked.youngUntilMs) {
    throw new Error(
      `finding: the key of ${target} is older than CUSTODY_KEY_LIFETIME_HOURS, and the service may ` +
        'have forgotten it, so that it is never sent again. Find the record, or cancel the order ' +
        'first: then this finding ends it.',
    );
  }
}
