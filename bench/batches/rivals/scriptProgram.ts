import { inLanes } from '../../payouts/rivals/inLanes';
import { runJob } from '../../payouts/rivals/job';
import { batchPayer } from './payBatch';
import type { Batch } from './sameBatches';

/** Pays batches. Batches of a smart account follow one another. It keeps nothing. */
void runJob<Batch>(async ({ walletIds, window, ...place }) => {
  const { send, prove } = batchPayer(place, walletIds);
  return async (batches) => {
    const knownAtMs: Record<string, number> = {};
    const lanes = new Map<string, Batch[]>();
    for (const batch of batches) {
      const { key, payer } = batch;
      const lane = payer.accountType === 'SCA' ? payer.id : key;
      lanes.set(lane, [...(lanes.get(lane) ?? []), batch]);
    }
    await inLanes([...lanes.values()], window, async (own) => {
      for (const batch of own) {
        const sent = await send(batch);
        await prove(sent, batch);
        knownAtMs[sent.id] = Date.now();
      }
    });
    return knownAtMs;
  };
});
