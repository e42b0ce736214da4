import { workflowInfo } from '@temporalio/workflow';
import { counted } from '../../src/orders/progress/doing';
import { longReads } from '../order/activities';
import { noteDone } from '../order/show';
import { wasReset } from '../write/reset';
import { askUntilAnswered } from './asking';
import { bookOf, type LivePayout, mayHavePaid, partsOf } from './book';

/** Adopts the shards of earlier runs of this payout, so that they stop, and their lines count. */
export async function adoptShards(live: LivePayout): Promise<void> {
  const book = bookOf(live);
  const { parts } = book;
  const { workflowId } = workflowInfo();
  const known = partsOf(live).map(({ shardId }) => shardId);
  const found = await askUntilAnswered(live, () =>
    longReads('find the parts of earlier runs').findShards({ workflowId, known }),
  );
  book.isAdopted = true;
  // A seal has looked for them itself, and covers no other one.
  if (book.sealed) return;
  // Some may have been handed over meanwhile.
  const others = found.filter(({ part }) => parts[part] === undefined);
  if (others.length === 0) return;
  for (const part of others) parts[part.part] = { ...part, mustSee: true };
  const lines = others.reduce((sum, part) => sum + part.lines, 0);
  const many = `${counted(others.length, 'part')} of an earlier run`;
  const words = `found ${many}, with ${counted(lines, 'line')}. What was sent settles`;
  noteDone(live, `${words}, and no other line goes before the seal`);
}

/**
 * True if parts of an earlier run may be there that this run does not know. They would pay once it
 * is sealed, and no seal has covered them.
 */
export function lacksParts(live: LivePayout): boolean {
  const isLater = mayHavePaid(live) || live.opened.earlier.continues === true;
  return isLater && (wasReset(live) || bookOf(live).isAdopted !== true);
}
