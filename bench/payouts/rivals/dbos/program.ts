import { createCustodyClient } from '../../../../src/custody/client';
import type { Payment } from '../../contender';
import { inLanes } from '../inLanes';
import { runJob } from '../job';
import { getting, listing, submit } from '../pay';
import { loadDbos } from './sdk';

const queueName = 'payout';
const enqueuersMax = 32;
/** Ten times what is its default, so that a slot that is free is soon taken. */
const dispatchMs = 100;
const listMs = 50;
const getMs = 250;

/**
 * A workflow for each transfer, on a queue of which as many run at a time as may be open. Its first
 * step submits, under a key that is in the workflow's input; its second ends when the transaction
 * is final. After a crash the second step is simply begun again.
 */
void runJob(async ({ walletIds, window, method, url = '', ...keys }) => {
  const dbos = loadDbos();
  const custody = createCustodyClient(keys);
  const untilFinal =
    method === 'list' ? listing(custody, { walletIds, lookMs: listMs }) : getting(custody, getMs);
  const listeners = new Map<string, (id: string) => void>();

  const pay = dbos.registerWorkflow(
    async (payment: Payment) => {
      const sent = await dbos.runStep(() => submit(custody, payment), {
        name: 'submit',
        retriesAllowed: true,
        maxAttempts: 10,
      });
      await dbos.runStep(() => untilFinal(sent), { name: 'settle' });
      listeners.get(payment.lineId)?.(sent.id);
    },
    { name: 'pay' },
  );
  dbos.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    systemDatabasePoolSize: 20,
    logLevel: 'warn',
  });
  await dbos.launch();
  await dbos.registerQueue(queueName, {
    workerConcurrency: window,
    minPollingIntervalMs: dispatchMs,
  });
  return async (payments) => {
    const knownAtMs: Record<string, number> = {};
    const known = payments.map(
      ({ lineId }) =>
        new Promise<void>((settle) => {
          listeners.set(lineId, (id) => {
            knownAtMs[id] = Date.now();
            settle();
          });
        }),
    );
    await inLanes(payments, enqueuersMax, async (payment) => {
      await dbos.startWorkflow(pay, { workflowID: payment.lineId, queueName })(payment);
    });
    await Promise.all(known);
    return knownAtMs;
  };
});
