import { holdTask } from '../../order/custody';
import { linesAt, type Shard } from './shard';

/** As long as answers may wait for those that come after them. */
const gatherMs = 1_000;

/** With fewer under way, the shard itself is what they wait for. */
const sendingMin = 5;

/** From so many in a second on, several come at a time by themselves. */
const manyPerS = 15;

/**
 * Lets answers come together that come one by one, as they do where the service takes a few in a
 * second: each would be a workflow task of its own, of three events. A local activity holds this
 * task meanwhile, and the server keeps for the next one what comes.
 */
export async function gather(shard: Shard): Promise<void> {
  const nowMs = Date.now();
  const perS = (shard.answers * 1_000) / Math.max(nowMs - shard.turnAtMs, 1);
  const isTrickle = shard.answers > 0 && perS < manyPerS;
  shard.answers = 0;
  // What comes while the task is held counts as having come since.
  shard.turnAtMs = nowMs;
  // Lines of a smart account wait for each other, so that a moment here would cost each of them one.
  const sending = linesAt(shard, 'sending').filter(({ wallet }) => wallet.accountType !== 'SCA');
  // Where the service is quick, the first answers of many are followed by the others at once.
  const isQueue = sending.some(({ state }) => nowMs - (state.bornAtMs ?? nowMs) > gatherMs);
  if (isTrickle && isQueue && sending.length >= sendingMin) {
    await holdTask('answers that come one by one').holdFor({ ms: gatherMs });
  }
}
