import type { OpenedShard } from '../../../../activities/payout/openShard';
import { batchStep } from '../../../../src/custody/batch';
import { sameText } from '../../../../src/custody/objects/sameText';
import type { LineResult } from '../../../../src/orders/payout';
import { endMarks } from '../../../end/tellLines';
import { isOver, type Stage } from '../../../write/machine/writeState';
import { holdBack } from '../batches/adopt';
import { itemOf, keepBatch, type Line, paymentOf } from '../payments';
import type { Shard } from '../shard';

/** Takes up the lines as earlier runs have left them. */
export function takeUpRuns(shard: Shard, { before, isTold, ...left }: OpenedShard): void {
  const { carried, lines } = shard;
  // A line that an earlier run does not tell of may have been sent.
  shard.opened.earlier = { ...left, writes: {} };
  // A signal may have asked for states before, when nothing was known.
  carried.writes = {};
  const known = new Map(before.map((result) => [result.lineId, result]));
  for (const line of lines) {
    const result = known.get(line.item);
    if (result !== undefined) takeUp(shard, line, result);
  }
  keepBeside(shard, before);
  // Each line is known from now on, so that a reset makes this run forget it.
  for (const line of lines) shard.writes.add(line, shard.writes.stateOf(line));
  const strange = takeUpBatches(shard, known);
  const late = lines.filter(({ item }) => known.get(item)?.isHeld ?? !known.has(item));
  const untold = [...late, ...strange];
  // A batch of lines that nobody knows may be on its way. If this run ends, the next one waits on.
  if (left.endedAtMs !== undefined && untold.length > 0)
    holdBack(shard, untold, { untilMs: left.endedAtMs + shard.opened.lookupGraceMs });
  carried.earlier = shard.opened.earlier;
  // A line that waits for a person has not ended.
  const isEnd = ({ lineId: item }: LineResult): boolean =>
    isOver(shard.writes.stateOf({ step: 'line', item }));
  if (isTold && shard.opened.answers) carried.answered = endMarks(before.filter(isEnd));
}

/** The stages in which an earlier run leaves a line for ever. All others are looked up. */
const stages: Readonly<Partial<Record<LineResult['outcome'], Stage>>> = {
  paid: 'completed',
  failed: 'failed',
  skipped: 'stopped',
};

/** A line as an earlier run has left it. */
function takeUp(shard: Shard, line: Line, result: LineResult): void {
  const { outcome, generation, transactionId, txHash, reason, givenUp, isUnsent, batch } = result;
  const { isCancelled, isProven, networkFee, settledAt: updateDate } = result;
  // A line that has failed alone in its batch had no effect either.
  const isRefused = outcome === 'failed' && (transactionId === undefined || batch !== undefined);
  const ended = isRefused ? 'refused' : stages[outcome];
  const end = givenUp ? 'givenUp' : ended;
  if (end !== undefined) keepPayer(shard, line, result);
  const isOver = end !== undefined && transactionId !== undefined && txHash !== undefined;
  // A line that is looked up gets its record from the service. This one would stand for its end.
  const cost = { ...(networkFee && { networkFee }), ...(updateDate && { updateDate }) };
  const record = isOver ? { id: transactionId, state: '', txHash, ...cost } : undefined;
  // The transaction of a batch is not its own. The batch is looked up.
  const own = end === undefined && batch !== undefined ? undefined : transactionId;
  const left = {
    end,
    generation,
    transactionId: own,
    record,
    why: reason,
    givenUp: givenUp ? reason : undefined,
    isCancelled,
    isProven,
    isUnsent: isUnsent === true,
  };
  shard.writes.apply(line, { kind: 'inherited', left });
}

/** Keeps which wallet an earlier run has told for a line that has ended. */
function keepPayer({ carried, opened }: Shard, line: Line, result: LineResult): void {
  const { generation, walletAddress: address, walletId = '' } = result;
  if (sameText(address, line.wallet.address)) return;
  const known = opened.wallets.find((one) => sameText(one.address, address));
  const wallet = known ?? { walletId, address, accountType: 'EOA' };
  carried.paidFrom = { ...carried.paidFrom, [line.item]: { generation, wallet } };
  line.wallet = wallet;
}

/** Keeps the facts of lines that are no part of their writes. */
function keepBeside({ carried }: Shard, before: readonly LineResult[]): void {
  carried.grounds = Object.fromEntries(
    before.flatMap(({ lineId, grounds }) => (grounds === undefined ? [] : [[lineId, grounds]])),
  );
  // The run before has ended before it brought them to the archive.
  carried.places = Object.fromEntries(
    before.flatMap(({ lineId, place }) => (place === undefined ? [] : [[lineId, place]])),
  );
  carried.skippedAlone = before.flatMap((one) => (one.isSkippedAlone ? one.lineId : []));
  // A line that is not over is looked up, with its batch.
  const isOver = ({ outcome }: LineResult): boolean => outcome === 'paid' || outcome === 'skipped';
  const batched = before.flatMap((one) => {
    const { lineId, batch, gasSaved } = one;
    return isOver(one) && batch !== undefined ? [{ lineId, batch, gasSaved }] : [];
  });
  carried.batchOf = Object.fromEntries(batched.map(({ lineId, batch }) => [lineId, batch]));
  carried.gasSaved = Object.fromEntries(
    batched.flatMap(({ batch, gasSaved }) => (gasSaved === undefined ? [] : [[batch, gasSaved]])),
  );
}

/**
 * Puts together the batches that an earlier run may have sent, as they were. Returns the lines of
 * the batches that come out otherwise.
 */
function takeUpBatches(shard: Shard, known: ReadonlyMap<string, LineResult>): Line[] {
  const strange: Line[] = [];
  const pending = shard.lines.filter((line) => {
    const { batch, isUnsent } = known.get(line.item) ?? {};
    return batch !== undefined && !isUnsent && shard.writes.stateOf(line).stage === 'unseen';
  });
  for (const batch of new Set(pending.map((line) => known.get(line.item)?.batch))) {
    const lines = pending.filter((line) => known.get(line.item)?.batch === batch);
    const [first] = lines;
    if (first === undefined) continue;
    const payments = lines.map((line) =>
      paymentOf(shard, line, known.get(line.item)?.generation ?? 0),
    );
    if (itemOf(first, payments) === batch) {
      const item = keepBatch(shard, first, payments);
      const { transactionId } = known.get(first.item) ?? {};
      shard.writes.apply({ step: batchStep, item }, { kind: 'recalled', transactionId });
    } else strange.push(...lines);
  }
  return strange;
}
