import { createCustodyClient } from '../../../../src/custody/client';
import type { Payment } from '../../contender';
import { inLanes } from '../inLanes';
import { runJob } from '../job';
import { getting, listing, submit } from '../pay';
import { loadDbos } from './sdk';

const queueName = 'payout';
const enqueuersMax = 32;
/** Polls ten times as often as by default, so that a free slot is soon filled. */
const dispatchMs = 100;
const listMs = 50;
const getMs = 250;

/**
 * Runs a workflow for each transfer, on a queue whose concurrency is the window. The first step
 * submits, under a key from the workflow's input. The second step ends when the transaction is
 * final. After a crash the second step begins again.
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
