import { getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow';
import { bookOf, isOver, type LivePayout, partsOf } from './book';
import type { Part, Steer } from './records';

/** How many lines one shard has under way at most. */
const shardOpenMax = 250;

/**
 * What each shard is to be told: in their order, as many may send as there is room for what they
 * have under way. With a reserve it is one at a time, since what is in flight from a wallet has to
 * be known to whoever spends from it.
 */
function wantedSteers(live: LivePayout): [Part, Steer][] {
  const { order } = live.opened;
  const { paused, cancelAsked } = live.carried;
  const { firstExecutionRunId: firstRunId } = workflowInfo();
  const book = bookOf(live);
  const parts = byTurn(partsOf(book).filter((part) => !isOver(part)));
  const share = Math.min(shardOpenMax, order.openMax);
  const { linesPerS = order.linesPerS ?? null } = book;
  const isSolo = order.reservePerWallet !== undefined;
  const underWay = parts.map((part) => (isSending(part) ? 0 : (part.report?.open ?? 0)));
  let left = order.openMax - underWay.reduce((sum, open) => sum + open, 0);
  let senders = 0;
  const isBlocked = isSolo && underWay.some((open) => open > 0);
  const given = parts.map((part): [Part, number] => {
    const hasRoom = isSolo ? senders === 0 && !isBlocked : left * 8 >= share;
    // What is all sent needs no room; that it could send is no harm, and saves telling it.
    if (!isSending(part) && !isSolo) return [part, part.steer?.openMax ?? 0];
    if (!book.sealed || !isSending(part) || !hasRoom) return [part, 0];
    const openMax = Math.min(share, left);
    left -= openMax;
    senders += 1;
    return [part, openMax];
  });
  return given.map(([part, openMax]) => [
    part,
    {
      firstRunId,
      maySend: openMax > 0,
      openMax,
      paused: paused !== undefined,
      linesPerS: linesPerS === null ? null : linesPerS / Math.max(senders, 1),
      ...(cancelAsked ? { stopped: 'The payout was cancelled before it was sent.' } : {}),
    },
  ]);
}

/** Whether a shard has lines that it has not sent; until it was heard of, it has. */
function isSending({ report }: Part): boolean {
  return report === undefined || ['ready', 'paying', 'stuck'].includes(report.stage);
}

/** How long a shard has its turn that cannot go on for now, before the next such one has. */
const turnMs = 60_000;

/** Shards that cannot go on for now let the others go first, and then take turns. */
function byTurn(parts: readonly Part[]): Part[] {
  const isStuck = ({ report }: Part): boolean => report?.stage === 'stuck';
  const hasTurn = ({ steer, turnAtMs = 0 }: Part): boolean =>
    steer?.maySend === true && Date.now() - turnAtMs < turnMs;
  const stuck = parts
    .filter(isStuck)
    .sort((one, other) => (one.turnAtMs ?? 0) - (other.turnAtMs ?? 0));
  const inTurn = [...stuck.filter(hasTurn), ...stuck.filter((part) => !hasTurn(part))];
  return [...parts.filter((part) => !isStuck(part)), ...inTurn];
}

/** The shards that are to be told something else than they were. */
function due(live: LivePayout): [Part, Steer][] {
  return wantedSteers(live).filter(([{ steer, mustSee, isAdopted }, wanted]) => {
    if (mustSee === true && isAdopted !== true) return false;
    // One that was never told to begin waits by itself.
    if (steer === undefined) {
      return wanted.maySend || wanted.stopped !== undefined || isAdopted === true;
    }
    return JSON.stringify(steer) !== JSON.stringify(wanted);
  });
}

/** Whether some shard is to be told something. */
export function isSteeringDue(live: LivePayout): boolean {
  return live.carried.payout !== undefined && due(live).length > 0;
}

/** Tells the shards what they may do. One that does not answer is looked at. */
export async function steerShards(live: LivePayout): Promise<void> {
  await Promise.all(
    due(live).map(async ([part, steer]) => {
      if (steer.maySend && part.steer?.maySend !== true) part.turnAtMs = Date.now();
      part.steer = steer;
      delete part.isAdopted;
      try {
        await getExternalWorkflowHandle(part.shardId).signal('steer', steer);
      } catch {
        delete part.steer;
        part.mustSee = true;
      }
    }),
  );
}
