import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { readOrder } from '../orders/input/read';
import { isRate, rateMax } from '../orders/payout/rate';
import { activityQueue, type Rate, readRate, rounded } from './temporal/queueRate';

/** The limits of writes and of reads. */
export type Rates = { writes: Rate; reads: Rate };

const keptWithinMs = 5_000;

const rate = z.custom<number | 'off' | 'default'>(
  (to) => to === 'off' || to === 'default' || (typeof to === 'number' && isRate(to)),
  { error: `must be a number from above 0 to ${rateMax}, off (no limit) or default` },
);

const rateChange = z.strictObject({ writes: rate.optional(), reads: rate.optional() });
/** A change of limits: a number a second, no limit, or the number that workers are started with. */
export type RateChange = z.input<typeof rateChange>;

/** More than any queue hands out, so that it also overrides what workers are started with. */
const noLimit = 1_000_000;

/** A queue and its server. Reads count on the queue itself, writes on `<queue>-writes`. */
type Place = { client: Client; taskQueue: string };

/** Reads the limits that hold now. */
export async function readRates({ client, taskQueue }: Place): Promise<Rates> {
  const [reads, writes] = await Promise.all(
    [taskQueue, `${taskQueue}-writes`].map((name) => readRate(client, name)),
  );
  if (reads === undefined || writes === undefined) throw new Error('Two queues, two answers.');
  return { writes, reads };
}

/**
 * Changes limits for all workers, at once and until they are changed again, whatever workers are
 * started with meanwhile. Throws a BadOrderError for what is no limit.
 */
export async function changeRates(place: Place, change: RateChange): Promise<Rates> {
  const { writes, reads } = readOrder(rateChange, change);
  const { client, taskQueue } = place;
  if (writes !== undefined) await changeRate(client, `${taskQueue}-writes`, writes);
  if (reads !== undefined) await changeRate(client, taskQueue, reads);
  return whenKept(place, { writes, reads });
}

/** Temporal tells its partitions of a change, which takes a moment. */
async function whenKept(place: Place, change: RateChange): Promise<Rates> {
  const startedAtMs = Date.now();
  for (;;) {
    const rates = await readRates(place);
    const areKept = isKept(rates.writes, change.writes) && isKept(rates.reads, change.reads);
    if (areKept || Date.now() - startedAtMs > keptWithinMs) return rates;
    await sleep(50);
  }
}

function isKept({ perSecond, setBy }: Rate, to: RateChange['writes']): boolean {
  if (to === undefined) return true;
  if (to === 'default') return setBy !== 'command';
  return perSecond === (to === 'off' ? undefined : rounded(to));
}

async function changeRate(
  client: Client,
  taskQueue: string,
  to: number | 'off' | 'default',
): Promise<void> {
  const rateLimit = { requestsPerSecond: to === 'off' ? noLimit : Number(to) };
  await client.workflowService.updateTaskQueueConfig({
    namespace: client.options.namespace,
    identity: client.options.identity,
    taskQueue,
    taskQueueType: activityQueue,
    updateQueueRateLimit: {
      reason: 'steadfast rate',
      // Without one, what workers are started with holds again.
      ...(to === 'default' ? {} : { rateLimit }),
    },
  });
}
