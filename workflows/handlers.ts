import { defineQuery, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Progress } from '../src/orders/status';
import { askToCancel, mayHaveSent } from './cancel';
import type { Run } from './run';

export const wakeSignal = defineSignal<[{ transactionId?: string }?]>('wake');
export const cancelUpdate = defineUpdate<void, [{ reason: string }]>('cancel');
export const progressQuery = defineQuery<Progress>('progress');

/** What an order answers from outside while it is on its way. */
export function answer(run: Run): void {
  setHandler(progressQuery, () => run.progress, {
    description: 'Where the order stands: what is done, what it waits for, since when.',
  });
  setHandler(
    wakeSignal,
    () => {
      run.woken = true;
    },
    { description: 'Look again now instead of at the next tick. Its content is not believed.' },
  );
  setHandler(cancelUpdate, () => askToCancel(run), {
    description: 'Stop the order: {"reason": "…"}. Refused once a write may be under way.',
    validator: (request) => {
      if (typeof request?.reason !== 'string' || request.reason === '') {
        throw new Error('reason: is missing. Say why, for whoever reads this later.');
      }
      // Before the order is open it is not known yet; then it is an intent, and decided after.
      if (run.carried.opened !== undefined && mayHaveSent(run)) {
        throw new Error(`Too late to cancel: ${run.progress.waitingFor}. It will run to its end.`);
      }
    },
  });
}
