import type { FoundLines } from '../../../activities/payout/watchLines';
import { counted } from '../../../src/orders/payout/tally';
import { longReads } from '../../order/custody';
import { isDoubtful } from '../../order/liveOrder';
import { wishOf } from '../../write/writeState';
import { faultsOf } from './faults';
import { happened, type Line, linesAt, type Shard } from './shard';
import { trying } from './trying';

type Traces = FoundLines['traces'];

/**
 * Looks up the lines that are due, all with one look-up: each line before its first attempt in this
 * run, and those in doubt. Returns when it is worth calling again.
 */
export function lookUpLines(shard: Shard): number {
  const lines = linesAt(shard, 'unseen', 'doubt', 'unknown', 'disputed').filter(isSought);
  if (lines.length === 0 || shard.isSeeking) return Number.POSITIVE_INFINITY;
  const nowMs = Date.now();
  const due = lines.filter(({ state }) => wishOf(state).atMs <= nowMs);
  if (due.length === 0) return Math.min(...lines.map(({ state }) => wishOf(state).atMs));
  shard.isSeeking = true;
  void lookUpNow(shard, due).finally(() => {
    shard.isSeeking = false;
    shard.woken = true;
  });
  return Number.POSITIVE_INFINITY;
}

/** A line that contradicts itself is read anew with the others, and its receipt after that. */
function isSought({ state }: Line): boolean {
  const { want } = wishOf(state);
  return want === 'lookUp' || want === 'watch';
}

/** One look-up of some lines. Returns false if the service did not answer. */
export async function lookUpNow(shard: Shard, lines: readonly Line[]): Promise<boolean> {
  const { workflowId } = shard.order.terms;
  const lineIds = lines.map(({ line }) => line.lineId);
  const wasDoubtful = isDoubtful(shard);
  const found = await trying(shard, () =>
    longReads(`look up ${counted(lines.length, 'line')}`).findLines({
      workflowId,
      lineIds,
    }),
  );
  // What was read before a reset does not show what was sent after it.
  if (isDoubtful(shard) && !wasDoubtful) return false;
  const byLine = new Map<string, Traces>();
  for (const trace of found?.traces ?? []) {
    byLine.set(trace.lineId, [...(byLine.get(trace.lineId) ?? []), trace]);
  }
  for (const line of lines) {
    const traces = byLine.get(line.line.lineId) ?? [];
    if (found === undefined) happened(shard, line, { kind: 'unread' });
    else if (wishOf(line.state).want === 'watch') await readAnew(shard, line, traces);
    else happened(shard, line, { kind: 'looked', seen: found.seen, traces: traces.map(traceOf) });
  }
  return found !== undefined;
}

async function readAnew(shard: Shard, line: Line, traces: Traces): Promise<void> {
  const record = traces.find((trace) => trace.record.id === line.state.transactionId)?.record;
  const faults = record === undefined ? undefined : await faultsOf(shard, line, record);
  if (record === undefined || faults === undefined) happened(shard, line, { kind: 'unread' });
  else happened(shard, line, { kind: 'record', record, faults });
}

function traceOf({ generation, record }: Traces[number]) {
  return { generation, record, accepted: { transactionId: record.id } };
}
