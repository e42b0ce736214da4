import type { FoundLines } from '../../../activities/payout/watchLines';
import { finalState } from '../../../src/custody/objects/state';
import { counted } from '../../../src/orders/payout/tally';
import { longReads } from '../../order/custody';
import { parkedDelayMs, troubleDelayMs } from '../../write/delays';
import { hadNoEffect } from '../../write/lookUp';
import { type Final, judge } from './judge';
import { attemptAnew, moveTo, note } from './move';
import { type Line, linesAt, type Shard } from './shard';
import { trying } from './trying';

type Traces = FoundLines['traces'];

/**
 * Looks for all lines in the service's list, which never forgets: where earlier runs have not told
 * what they sent, or a reset has made this one forget. What is found goes on from there; a line
 * that is not found may have been sent all the same, and is sent again under its old key.
 */
export async function seekAll(shard: Shard): Promise<void> {
  const all = linesAt(shard, 'waiting', 'sending', 'sent', 'doubt', 'unknown', 'failed');
  const found = all.length === 0 ? new Map<string, Traces>() : await listed(shard, all);
  if (found === undefined) return;
  shard.carried.isLookedFor = true;
  const finals = all.flatMap((line) => {
    if (line.state.stage === 'sending') {
      line.state.tries = 'ambiguous';
      return [];
    }
    return takeUp(line, found.get(line.line.lineId) ?? [], shard);
  });
  await judge(shard, finals);
}

/** Looks for the lines in doubt that are due. Returns when it is worth to be called again. */
export function seekLines(shard: Shard): number {
  const lines = linesAt(shard, 'doubt', 'unknown');
  if (lines.length === 0 || shard.isSeeking) return Number.POSITIVE_INFINITY;
  const nowMs = Date.now();
  const due = lines.filter(({ state }) => (state.notBeforeMs ?? 0) <= nowMs);
  if (due.length === 0) return Math.min(...lines.map(({ state }) => state.notBeforeMs ?? 0));
  shard.isSeeking = true;
  void seek(shard, due);
  return Number.POSITIVE_INFINITY;
}

async function seek(shard: Shard, lines: readonly Line[]): Promise<void> {
  try {
    await seekNow(shard, lines);
  } finally {
    shard.isSeeking = false;
    shard.woken = true;
  }
}

/** One look for some lines in doubt; what is not found is looked for again, or a person is asked. */
export async function seekNow(shard: Shard, lines: readonly Line[]): Promise<boolean> {
  const found = await listed(shard, lines);
  const finals: Final[] = [];
  for (const line of lines) {
    const { state } = line;
    if (state.stage !== 'doubt' && state.stage !== 'unknown') continue;
    if (found !== undefined) finals.push(...takeUp(line, found.get(line.line.lineId) ?? [], shard));
    if (state.stage === 'doubt' || state.stage === 'unknown') waitOn(shard, line, found);
  }
  await judge(shard, finals);
  return found !== undefined;
}

function waitOn(shard: Shard, line: Line, found: unknown): void {
  const { state } = line;
  const { reason = '', sinceMs = Date.now(), times = 0 } = state;
  const leftMs = sinceMs + shard.order.terms.lookupGraceMs - Date.now();
  if (found !== undefined) note(line, 'looked for in the list of the service, and not found');
  if (state.stage === 'doubt' && leftMs <= 0 && found !== undefined) {
    const notBeforeMs = Date.now() + parkedDelayMs(1);
    moveTo(line, 'unknown', { reason, sinceMs, times: 1, notBeforeMs });
    return;
  }
  state.times = times + 1;
  const delayMs =
    state.stage === 'unknown'
      ? parkedDelayMs(state.times)
      : Math.min(troubleDelayMs(state.times), Math.max(leftMs, 1_000));
  state.notBeforeMs = Date.now() + delayMs;
}

/** Goes on from what was found of a line; returns its record where that is final. */
function takeUp(line: Line, traces: Traces, shard: Shard): Final[] {
  const { state } = line;
  const { bornAtMs, opened } = shard.carried;
  const mayBeSent = opened?.bornAtMs !== undefined || shard.wasDoubtful;
  const [trace, ...others] = highest(traces);
  if (trace === undefined || trace.generation < state.generation) {
    if (state.stage === 'waiting' && mayBeSent) {
      state.tries = 'ambiguous';
      state.bornAtMs ??= bornAtMs;
    }
    return [];
  }
  if (others.length > 0) {
    const ids = [trace, ...others].map(({ record }) => record.id).join(', ');
    const why = `The service has several records of it under one reference: ${ids}.`;
    moveTo(line, 'unknown', { reason: why, sinceMs: Date.now(), times: 1 });
    return [];
  }
  const { generation, record } = trace;
  if (state.stage === 'failed' && record.id === state.transactionId) return [];
  if (generation > state.generation) attemptAnew(line, generation);
  const transactionId = record.id;
  moveTo(line, 'sent', { transactionId, bornAtMs: state.bornAtMs ?? bornAtMs });
  return finalState(record.state) === undefined ? [] : [{ line, record }];
}

/** The traces of the highest generation; of several, only those that may have had an effect. */
function highest(traces: Traces): Traces {
  const generation = Math.max(...traces.map((trace) => trace.generation));
  const latest = traces.filter((trace) => trace.generation === generation);
  const effective = latest.filter(({ record }) => !hadNoEffect(record));
  return effective.length > 0 ? effective : latest.slice(0, 1);
}

async function listed(
  shard: Shard,
  lines: readonly Line[],
): Promise<Map<string, Traces> | undefined> {
  const { terms } = shard.order;
  const found = await trying(shard, () =>
    longReads(`look for ${counted(lines.length, 'line')} that may have been sent`).findLines({
      workflowId: terms.workflowId,
      lineIds: lines.map(({ line }) => line.lineId),
    }),
  );
  if (found === undefined) return undefined;
  const byLine = new Map<string, Traces>();
  for (const trace of found.traces) {
    byLine.set(trace.lineId, [...(byLine.get(trace.lineId) ?? []), trace]);
  }
  return byLine;
}
