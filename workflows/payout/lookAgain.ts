import { beginCall, isBusy } from '../write/drive';
import { troubleDelayMs } from '../write/machine/delays';
import { isOver } from '../write/machine/writeState';
import type { Line } from './shard/payments';
import { lookUpNow } from './shard/reading';
import type { Shard } from './shard/shard';

/**
 * Looks up once more the lines that were skipped or given up, when all others have ended. The list
 * may show by then what was sent before, and the end of a payout tells what was paid. Returns when
 * it is due again.
 */
export function lookAgain(shard: Shard): number {
  const { again, carried } = shard;
  const isEarly = shard.payments.all().some((one) => !isOver(shard.writes.stateOf(one)));
  if (isEarly || carried.isClosed) return Number.POSITIVE_INFINITY;
  const of = linesToLookAgain(shard);
  const call = (due: readonly Line[]) => lookOnceMore(shard, due);
  return beginCall(shard, { want: 'again', of, dueMs: () => again.atMs, call });
}

async function lookOnceMore(shard: Shard, due: readonly Line[]): Promise<void> {
  const { carried, again } = shard;
  const targets = due.map((line) => shard.writes.targetOf(line));
  if (await lookUpNow(shard, due)) {
    carried.lookedAgain = [...(carried.lookedAgain ?? []), ...targets];
    return;
  }
  again.times += 1;
  again.atMs = Date.now() + troubleDelayMs(again.times);
}

/** The lines whose end no record proves, and that were not looked up since. */
function linesToLookAgain(shard: Shard): Line[] {
  const looked = new Set(shard.carried.lookedAgain);
  return shard.lines.filter((line) => {
    const { stage, record } = shard.writes.stateOf(line);
    const isUnproven = stage === 'givenUp' || (stage === 'stopped' && record === undefined);
    return isUnproven && !looked.has(shard.writes.targetOf(line));
  });
}

/** True when every line has ended, or when the payout has ended and nothing is pending. */
export function isShardOver(shard: Shard): boolean {
  if (isBusy(shard)) return false;
  if (shard.payments.at('sending', 'accepted', 'doubt').length > 0) return false;
  if (shard.carried.isClosed) return true;
  if (shard.payments.at('unseen', 'ready', 'unknown', 'disputed').length > 0) return false;
  return linesToLookAgain(shard).length === 0;
}
