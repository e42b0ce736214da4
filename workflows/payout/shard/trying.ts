import { stopOf } from '../../order/custody';
import { stumbled } from '../../order/show';
import type { Shard } from './shard';

/**
 * A read that may fail: what keeps it from being made is noted, and it is made again later.
 * Undefined then.
 */
export async function trying<T>(shard: Shard, read: () => Promise<T>): Promise<T | undefined> {
  shard.busy += 1;
  try {
    const answer = await read();
    shard.trouble = undefined;
    return answer;
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    stumbled(shard, stop.message);
    // No refused read ends a payout: somebody has to mend it, and it is made again.
    shard.trouble = stop.type === 'Again' ? stop : { ...stop, type: 'NeedsOperator' };
    return undefined;
  } finally {
    shard.busy -= 1;
    shard.woken = true;
  }
}
