import {
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { exitsOf } from '../../src/orders/progress/exits';
import { type Finding, lengthFault, paidSentence } from '../../src/orders/progress/resolve';
import type { Progress } from '../../src/orders/progress/status';
import {
  accelerateWrite,
  askingIn,
  decide,
  refuseToAccelerate,
  refuseUnfit,
} from '../write/people';
import { askToCancel } from './cancel';
import type { LiveOrder } from './liveOrder';
import { pauseOrder, resumeOrder } from './pauseOrder';
import { lookNow } from './wait';

export const wakeSignal = defineSignal('wake');
/** The service has told that a transaction is final. The signal has no content to believe. */
export const noticedSignal = defineSignal('noticed');
export const cancelUpdate = defineUpdate<void, [{ reason: string }]>('cancel');
const pauseUpdate = defineUpdate<void, [{ reason: string }]>('pause');
const resumeUpdate = defineUpdate<void>('resume');
const accelerateUpdate = defineUpdate<string>('accelerate');
export const resolveUpdate = defineUpdate<string, [Finding]>('resolve');
export const progressQuery = defineQuery<Progress>('progress');

/** Answers queries, signals and updates while the order runs. */
export function answerOrder(live: LiveOrder): void {
  const { workflowId } = workflowInfo();
  const shown = () => ({ ...live.progress, exits: exitsOf(live.progress, workflowId) });
  setHandler(progressQuery, shown, {
    description: 'Where the order stands: what has happened, what it waits for, since when.',
  });
  setHandler(wakeSignal, () => lookNow(live), {
    description: 'Look again now instead of at the next tick. Its content is not believed.',
  });
  const notice = (): void => {
    Object.assign(live, { noticed: true, nextPollMs: 0, woken: true });
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
      const { write, state } = askingIn(live) ?? {};
      if (write !== undefined && state?.paidIn !== undefined)
        throw new Error(
          paidSentence({ target: live.writes.targetOf(write), paidIn: state.paidIn }),
        );
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
  setHandler(accelerateUpdate, () => accelerateWrite(live), {
    description:
      'Have the service pay a higher fee for the transaction that settles now: {}. It may be used ' +
      'again.',
    validator: () => refuseToAccelerate(live),
  });
  setHandler(resolveUpdate, (finding) => decide(live, finding), {
    description:
      'Say what became of a write that is unknown: {"target": "<step>/<item>#<generation>", ' +
      '"finding": "completed" | "noEffect" | "retry", "evidence": "…"}. It is verified.',
    validator: (finding) => refuseUnfit(live, finding),
  });
}

/** Refuses a person's request that gives no reason. Later readers need one. */
export function refuseWithoutReason(request: unknown): void {
  const { reason }: { reason?: unknown } = typeof request === 'object' ? (request ?? {}) : {};
  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new Error('reason: is missing. Say why, for whoever reads this later.');
  }
  const fault = lengthFault(reason);
  if (fault !== undefined) throw new Error(`reason: ${fault}`);
}
