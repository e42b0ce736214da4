import { executeChild, proxyActivities } from '@temporalio/workflow';
import type { Payment } from '../../contender';
import type { Activities } from './activities';
import type { Batch } from './batch';

/** The time without a heartbeat after which an attempt counts as dead. */
const heartbeatTimeout = '30s';

const { submitPayment } = proxyActivities<Activities>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
});

/** Polls by failing: each retry is one poll, and leaves nothing in the history. */
const { seeSettled } = proxyActivities<Activities>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '500ms', backoffCoefficient: 1 },
});

/** Polls within one attempt. */
const { awaitSettled } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout,
});

/** One transfer: submits it, and ends once it has settled. */
export async function payOne(payment: Payment, method: string): Promise<void> {
  const id = await submitPayment(payment);
  if (method === 'retries') await seeSettled(id);
  else await awaitSettled(id);
}

/** Keeps as many children under way as the window holds, until every payment is made. */
export async function payAll({ payments, window, method }: Batch): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let payment = payments[next++]; payment !== undefined; payment = payments[next++]) {
      const workflowId = `pay:${payment.lineId}`;
      await executeChild(payOne, { workflowId, args: [payment, method] });
    }
  };
  await Promise.all(Array.from({ length: window }, lane));
}
