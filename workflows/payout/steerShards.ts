import { getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow';
import { allLines } from '../../src/custody/objects/approval';
import { linesPerBatch } from '../../src/orders/payout/linesPerBatch';
import { waitingIn } from '../../src/orders/payout/tally';
import { bookOf, isPartOver, type LivePayout, partsOf, rateOf, tallyOfPart } from './book';
import type { Part, Signatures, Steer, Wishes } from './records';

/** The lines that one shard has pending at most, and all shards unless the order says otherwise. */
const openLines = {
  alone: { ofShard: 250, ofAll: 250 },
  inBatches: { ofShard: 1_000, ofAll: 2_500 },
};

/**
 * The instruction for each shard. The shards share the number of lines that may be pending. Each
 * one, in its order, gets as many as it can use. With a reserve they pay one after another, since
 * whoever spends from a wallet has to know what is pending from it.
 */
function wantedSteers(live: LivePayout): [Part, Steer][] {
  const { order, archives, batchesFrom = [] } = live.opened;
  const { paused, cancelAsked } = live.carried;
  const book = bookOf(live);
  const parts = partsOf(live).filter((part) => !isPartOver(part));
  const isBatched = linesPerBatch(order) !== undefined && batchesFrom.length > 0;
  const { ofShard, ofAll } = isBatched ? openLines.inBatches : openLines.alone;
  const mayPay = book.sealed && paused === undefined && !cancelAsked;
  let left = mayPay ? (order.openMax ?? ofAll) : 0;
  const isOneByOne = order.reservePerWallet !== undefined;
  const give = (wanted: number): number => {
    const share = Math.max(0, Math.min(wanted, ofShard, left));
    left = isOneByOne && share > 0 ? 0 : left - share;
    return share;
  };
  // Lines that wait for people get what others leave.
  const asking = parts.map(({ report }) => report?.asking?.count ?? 0);
  const going = parts.map((part, at) => give(waitingIn(tallyOfPart(part)) - (asking[at] ?? 0)));
  const shares = going.map(
    (share, at) => share + (isOneByOne && share > 0 ? 0 : give(asking[at] ?? 0)),
  );
  const { firstExecutionRunId: firstRunId } = workflowInfo();
  const pace = rateOf(live);
  const senders = shares.filter((share) => share > 0).length;
  const linesPerS = pace === null ? null : pace / Math.max(senders, 1);
  return parts.map((part, at) => [
    part,
    {
      firstRunId,
      openMax: shares[at] ?? 0,
      linesPerS,
      isCancelled: cancelAsked,
      linesDigest: archives ? book.checks?.digest : undefined,
      signed: signaturesFor(live, part),
    },
  ]);
}

/** The signatures for the lines of a part. Undefined for an unsigned payout, and before the seal. */
function signaturesFor(live: LivePayout, { place, report, steer }: Part): Signatures | undefined {
  const { request } = live.opened.order;
  // A part hears of the decisions on all lines, and of those that it has asked for.
  const asked = report?.asking?.first.map(({ approval }) => approval.target) ?? [];
  const targets = new Set([allLines, ...asked, ...(steer?.decided ?? [])]);
  const decisions = (live.carried.decisions ?? []).filter(({ target }) => targets.has(target));
  return request && place && { request, decisions, place };
}

function wishesOf({ signed, ...wishes }: Steer): Wishes {
  return { ...wishes, decided: signed?.decisions.map(({ target }) => target) };
}

/** The shards that are to be told something else than they were. */
function due(live: LivePayout): [Part, Steer][] {
  return wantedSteers(live).filter(([{ steer, mustSee }, wanted]) => {
    if (mustSee === true) return false;
    // A shard that was never told to begin waits by itself.
    if (steer === undefined) return wanted.openMax > 0 || wanted.isCancelled;
    return JSON.stringify(steer) !== JSON.stringify(wishesOf(wanted));
  });
}

/** True if some shard is to be told something. */
export function isSteeringDue(live: LivePayout): boolean {
  return due(live).length > 0;
}

/** Tells the shards what they may do. A shard that does not answer is looked at. */
export async function steerShards(live: LivePayout): Promise<void> {
  await Promise.all(
    due(live).map(async ([part, steer]) => {
      part.steer = wishesOf(steer);
      try {
        await getExternalWorkflowHandle(part.shardId).signal('steer', steer);
      } catch {
        delete part.steer;
        part.mustSee = true;
      }
    }),
  );
}
