import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';

/** A client that waits once it has read the first list of times. */
export function listingSlowly(client: Client, ms: number): Client {
  let delayMs = ms;
  const { workflowService } = client;
  const listScheduleMatchingTimes = async (request: object) => {
    const times = await workflowService.listScheduleMatchingTimes(request);
    await sleep(delayMs);
    delayMs = 0;
    return times;
  };
  const slowly = Object.create(workflowService, {
    listScheduleMatchingTimes: { value: listScheduleMatchingTimes },
  });
  return Object.create(client, { workflowService: { value: slowly } });
}
