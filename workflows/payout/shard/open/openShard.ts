import { longReads } from '../../../order/activities';
import { show } from '../../../order/show';
import { askUntilAnswered } from '../../asking';
import type { Shard } from '../shard';
import { noteBegun, noteSending } from '../steer';
import { takeUpRuns } from './takeUp';

/** Learns what earlier runs of the shard have done, and goes on from there. */
export async function takeUpBefore(shard: Shard): Promise<void> {
  if (shard.carried.earlier === undefined) {
    const opened = await askUntilAnswered(shard, () =>
      longReads('compare the lines with earlier runs').openShard(),
    );
    takeUpRuns(shard, opened);
    // It knows all that the runs before it knew, so it may hide them.
    if (opened.endedAtMs !== undefined) noteBegun();
    noteSending(shard);
  }
  show(shard, 'Waiting', 'its payout');
}
