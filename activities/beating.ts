import { setTimeout as sleep } from 'node:timers/promises';
import { asyncLocalStorage } from '@temporalio/activity';

/** Well below the time after which Temporal gives a silent activity to another worker. */
const heartbeatMs = 4_000;

/**
 * Does work of an activity, and tells Temporal all the while that the activity is alive. A writer
 * does the same work without one.
 */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const activity = asyncLocalStorage.getStore();
  const beat = setInterval(() => activity?.heartbeat(), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

/** Tells Temporal once that the activity is alive. A writer reads the chain without an activity. */
export function beat(): void {
  asyncLocalStorage.getStore()?.heartbeat();
}

/** Waits, and no longer than the activity is wanted. */
export async function rest(ms: number): Promise<void> {
  const activity = asyncLocalStorage.getStore();
  await (activity === undefined ? sleep(ms) : activity.sleep(ms));
}
