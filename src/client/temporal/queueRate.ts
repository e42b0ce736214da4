import type { Client } from '@temporalio/client';
import { rateMax } from '../../orders/payout/rate';

/** The number of calls a second that a queue hands out to all workers together, and its origin. */
export type Rate = {
  /** Undefined: without limit. */
  perSecond: number | undefined;
  /** command: it was changed at run time. workers: as they were started with. */
  setBy: 'command' | 'workers' | 'nobody';
};

/** Temporal's number for a queue of activities. */
export const activityQueue = 2;

/** Temporal's numbers for who has set a limit. The system's own one protects the server alone. */
const sources: Readonly<Record<number, Rate['setBy']>> = { 1: 'command', 2: 'workers' };
const system = 3;

/** The limit of a queue that holds now. */
export async function readRate(client: Client, queue: string): Promise<Rate> {
  const { requestsPerSecond, rateLimitSource } = (await limitOf(client, queue)) ?? {};
  const setBy = sources[rateLimitSource ?? 0] ?? 'nobody';
  return { perSecond: setBy === 'nobody' ? undefined : rounded(requestsPerSecond ?? 0), setBy };
}

/**
 * True only where Temporal says that nobody limits the activities of a queue. What workers are
 * started with counts there only once they have had an activity.
 */
export async function isUnlimited(client: Client, queue: string): Promise<boolean> {
  const { requestsPerSecond, rateLimitSource } = (await limitOf(client, queue)) ?? {};
  return rateLimitSource === system || (requestsPerSecond ?? 0) > rateMax;
}

async function limitOf(client: Client, name: string) {
  const { effectiveRateLimit } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: activityQueue,
    reportConfig: true,
  });
  return effectiveRateLimit;
}

/** Temporal keeps limits with seven digits. */
export function rounded(perSecond: number): number {
  return Number(perSecond.toFixed(3));
}
