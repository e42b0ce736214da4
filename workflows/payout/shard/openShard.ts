import type { LineResult } from '../../../src/orders/payout';
import { longReads } from '../../order/custody';
import { show } from '../../order/show';
import { pathOf, stateOf } from '../../write/happened';
import { newWrite, type Stage } from '../../write/writeState';
import { patiently } from '../asking';
import { keepGrounds, type Line, type Shard } from './shard';

/** Learns what earlier runs of the shard have done, and goes on from there. */
export async function takeUpBefore(shard: Shard): Promise<void> {
  const { carried, lines } = shard;
  if (carried.earlier === undefined) {
    const { before, ...left } = await patiently(shard, () =>
      longReads('compare the lines with earlier runs').openShard(),
    );
    // A line that an earlier run does not tell of may have been sent.
    shard.opened.earlier = { ...left, writes: {} };
    const known = new Map(before.map((result) => [result.lineId, result]));
    for (const line of lines) {
      const result = known.get(line.item);
      if (result === undefined) stateOf(shard, line);
      else takeUp(shard, line, result);
    }
    carried.earlier = shard.opened.earlier;
  }
  show(shard, 'Waiting', 'its payout');
}

/** The stages in which an earlier run leaves a line for ever. All others are looked up. */
const stages: Readonly<Partial<Record<LineResult['outcome'], Stage>>> = {
  paid: 'completed',
  failed: 'failed',
  skipped: 'stopped',
};

/** A line as an earlier run has left it. */
function takeUp(shard: Shard, line: Line, result: LineResult): void {
  const { outcome, generation, transactionId, txHash, reason, givenUp, isUnsent } = result;
  const { writes } = shard.carried;
  keepGrounds(shard, line, result.grounds);
  if (isUnsent) {
    // A waiting line has a later generation only after the end of the one before.
    const isProven = generation > 0;
    writes[pathOf(line)] = newWrite({ generation, knownAtMs: Date.now(), isProven });
    return;
  }
  const isRefused = outcome === 'failed' && transactionId === undefined;
  const ended = isRefused ? 'refused' : stages[outcome];
  const stage = givenUp ? 'givenUp' : (ended ?? 'unseen');
  const isOver = stage !== 'unseen' && transactionId !== undefined && txHash !== undefined;
  // A line that is looked up gets its record from the service. This one would stand for its end.
  const record = isOver ? { id: transactionId, state: '', txHash } : undefined;
  const left = { stage, generation, transactionId, record, why: reason };
  writes[pathOf(line)] = { ...stateOf(shard, line), ...left };
}
