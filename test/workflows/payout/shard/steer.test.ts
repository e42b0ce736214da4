import { takeSteer } from '../../../../workflows/payout/shard/steer';
import { partOf } from './part';

const steer = { firstRunId: 'first', openMax: 5, linesPerS: null, isCancelled: false };

test('a part that does not know its earlier runs yet hides none of them from the next run', () => {
  const shard = partOf({ generation: 0 });
  takeSteer(shard, steer);
  expect(shard.carried.steer).toBe(steer);
  // Only a run of Temporal can note that it has begun.
  shard.carried.earlier = { bornAtMs: 0, writes: {}, others: 'clean' };
  expect(() => takeSteer(shard, steer)).toThrow('Workflow');
});
