import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import type { Payment } from '../../contender';
import { isFinal, submit } from '../pay';

const lookMs = 250;

export type Activities = ReturnType<typeof createActivities>;

export function createActivities(custody: CustodyApi) {
  return {
    submitPayment: async (payment: Payment): Promise<string> => (await submit(custody, payment)).id,

    /** Polls once. Fails until the transaction is final, so that Temporal retries it. */
    async seeSettled(id: string): Promise<void> {
      if (await isFinal(custody, id)) return;
      const category = ApplicationFailureCategory.BENIGN;
      throw ApplicationFailure.create({ message: 'not settled yet', category });
    },

    /** Polls until the transaction is final, and sends heartbeats meanwhile. */
    async awaitSettled(id: string): Promise<void> {
      const { heartbeat } = Context.current();
      for (; !(await isFinal(custody, id)); await sleep(lookMs)) heartbeat();
    },
  };
}
