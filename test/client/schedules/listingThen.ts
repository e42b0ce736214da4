import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';

/** A client that does something once it has read the first list of times. */
export function listingThen(client: Client, work: () => Promise<unknown>): Client {
  let isFirst = true;
  const { workflowService } = client;
  const listScheduleMatchingTimes = async (request: object) => {
    const times = await workflowService.listScheduleMatchingTimes(request);
    if (isFirst) await work();
    isFirst = false;
    return times;
  };
  const then = Object.create(workflowService, {
    listScheduleMatchingTimes: { value: listScheduleMatchingTimes },
  });
  return Object.create(client, { workflowService: { value: then } });
}

/** A client that waits once it has read the first list of times. */
export function listingSlowly(client: Client, ms: number): Client {
  return listingThen(client, () => sleep(ms));
}
