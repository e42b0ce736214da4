import { Context } from '@temporalio/activity';

/** Well below the time after which Temporal gives a silent activity to another worker. */
const heartbeatMs = 4_000;

/** Does work of an activity, and tells Temporal all the while that the activity is alive. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(Context.current().heartbeat, heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
