import { loadDbos } from '../../payouts/rivals/dbos/sdk';
import { inLanes } from '../../payouts/rivals/inLanes';
import { runJob } from '../../payouts/rivals/job';
import { batchPayer } from './payBatch';
import type { Batch } from './sameBatches';

const enqueuersMax = 32;
/** Polls ten times as often as by default, so that a free slot is soon filled. */
const dispatchMs = 100;
/** Accounts with a key send many at a time. A smart account sends one. */
const queues = { EOA: 'batches', SCA: 'accounts' } as const;

/**
 * Runs a workflow for each batch. The first step sends it, under a key from the workflow's input.
 * The second step ends when the chain's logs show all lines. After a crash it begins again.
 */
void runJob<Batch>(async ({ walletIds, window, url = '', ...place }) => {
  const dbos = loadDbos();
  const { send, prove } = batchPayer(place, walletIds);
  const listeners = new Map<string, (id: string) => void>();

  const pay = dbos.registerWorkflow(
    async (batch: Batch) => {
      const sent = await dbos.runStep(() => send(batch), {
        name: 'send',
        retriesAllowed: true,
        maxAttempts: 10,
      });
      await dbos.runStep(() => prove(sent, batch), { name: 'prove' });
      listeners.get(batch.key)?.(sent.id);
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
  const usual = { minPollingIntervalMs: dispatchMs };
  await dbos.registerQueue(queues.EOA, { ...usual, workerConcurrency: window });
  await dbos.registerQueue(queues.SCA, { ...usual, partitionWorkerConcurrency: 1 });
  return async (batches) => {
    const knownAtMs: Record<string, number> = {};
    const known = batches.map(
      ({ key }) =>
        new Promise<void>((settle) => {
          listeners.set(key, (id) => {
            knownAtMs[id] = Date.now();
            settle();
          });
        }),
    );
    await inLanes(batches, enqueuersMax, async (batch) => {
      const isSmart = batch.payer.accountType === 'SCA';
      await dbos.startWorkflow(pay, {
        workflowID: batch.key,
        queueName: isSmart ? queues.SCA : queues.EOA,
        ...(isSmart ? { enqueueOptions: { queuePartitionKey: batch.payer.id } } : {}),
      })(batch);
    });
    await Promise.all(known);
    return knownAtMs;
  };
});
