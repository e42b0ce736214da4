import { batchedGenerationMax } from '../../../../src/custody/batch';
import { coinDecimals, shareOf } from '../../../../src/custody/objects/amount';
import { finalState } from '../../../../src/custody/objects/state';
import { isOver, type WriteState } from '../../../write/machine/writeState';
import type { Batch, Line } from '../payments';
import type { Shard } from '../shard';
import { dropBatch, isStillWanted, makeBatch } from './batches';

/**
 * Ends the lines of a batch as the batch has ended. A batch that had no effect is split into
 * halves, which finds the line that was the reason. Where a record proves it, the lines go on as
 * their next generation. Where the batch was refused, they keep theirs.
 */
export function endBatch(shard: Shard, item: string, state: WriteState): void {
  const batch = shard.payments.batches().find((one) => one.item === item);
  if (batch === undefined) return;
  const { stage, record } = state;
  // A person has stopped a cancelled one, so that nothing of it goes on by itself.
  const isStopped = record !== undefined && finalState(record.state) === 'CANCELLED';
  const hadNoEffect = stage === 'refused' || (stage === 'failed' && !isStopped);
  const isHalved = hadNoEffect && batch.payments.length > 1;
  dropBatch(shard, batch);
  const of = batch.payments.length;
  for (const [at, { line: named }] of batch.payments.entries()) {
    const line = named && shard.payments.line(named.lineId);
    if (named === undefined || line === undefined) continue;
    if (isHalved && !isPast(shard, line, named)) continue;
    const networkFee = shareOf(record?.networkFee, { at, of, decimals: coinDecimals });
    const own = { ...state, record: record && { ...record, networkFee } };
    endLine(shard, line, { batch, at, state: own, generation: named.generation });
  }
  if (!isHalved) return;
  const { transactionId = [] } = state;
  shard.carried.voidIds = [...(shard.carried.voidIds ?? []), transactionId].flat();
  halve(shard, batch, state);
}

/** True for an attempt at a line that goes on under a later key, once this one is proven. */
function isPast(shard: Shard, line: Line, { generation }: { generation: number }): boolean {
  return generation < shard.writes.stateOf(line).generation;
}

type Ended = { batch: Batch; at: number; state: WriteState; generation: number };

/** Ends one line as its batch has ended. */
function endLine(shard: Shard, line: Line, { batch, at, state, generation }: Ended): void {
  const unpaid = batch.unpaid?.find((one) => one.at === at);
  const failedAlone = unpaid && aloneWords(unpaid.reason);
  if (unpaid !== undefined) {
    const { [line.item]: known = [], ...others } = shard.carried.unpaidIn ?? {};
    shard.carried.unpaidIn = { ...others, [line.item]: [...new Set([...known, batch.item])] };
  }
  const before = shard.writes.stateOf(line);
  const after = shard.writes.apply(line, {
    kind: 'endedIn',
    batch: state,
    generation,
    failedAlone,
  });
  // A line whose batch was never sent goes on as any other.
  const isUnsent = state.transactionId === undefined && state.tries === 'clean';
  const wasIn = isOver(after) && !(state.stage === 'stopped' && isUnsent);
  if (wasIn) shard.carried.batchOf = { ...shard.carried.batchOf, [line.item]: batch.item };
  shard.changed?.(line, before, after);
}

function aloneWords(reason = ''): string {
  const why = reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`;
  return `Its payment failed alone, and the others of its batch were paid${why}.`;
}

/** Two batches in the place of one that had no effect. A single line goes on by itself. */
function halve(shard: Shard, batch: Batch, state: WriteState): void {
  const lines = batch.payments.flatMap(({ line: named }) => {
    const line = named && shard.payments.line(named.lineId);
    // A line that was skipped or given up before is not sent.
    if (line === undefined || named === undefined || isPast(shard, line, named)) return [];
    return isOver(shard.writes.stateOf(line)) ? [] : [{ line, ...named }];
  });
  for (const { line, generation } of lines) {
    if (state.stage === 'refused') continue;
    const next = { generation: generation + 1, isProven: true, batch: state };
    shard.writes.apply(line, { kind: 'again', ...next });
  }
  // Lines that another wallet was to pay go on one by one, each from its own.
  if (lines.some(({ line }) => line.wallet.walletId !== batch.wallet.walletId)) return;
  const middle = Math.ceil(lines.length / 2);
  for (const half of [lines.slice(0, middle), lines.slice(middle)]) {
    const isBatch = half.every(({ generation }) => generation < batchedGenerationMax);
    const halved = half.flatMap(({ line }) => (isStillWanted(shard, line) ? line : []));
    if (isBatch) makeBatch(shard, halved);
  }
}
