import type { End, EndType } from '../../src/client/answers/end';
import type { LineResult } from '../../src/orders/payout';
import { countAnswer } from '../order/meter';
import { noteFault } from '../order/show';
import { resultsOf } from '../payout/shard/results';
import type { Shard } from '../payout/shard/shard';
import { nowOf } from '../write/calling';
import { beginCall } from '../write/drive';
import { isOver } from '../write/machine/writeState';
import { mayTryAgain, startAnswer, tryAgain } from './startAnswer';

/** Ends gather for this long, since each message workflow is some events in the history. */
const everyMs = 5_000;
/** Ends that one workflow tells. Its input stays far below the two megabytes of a payload. */
const togetherMax = 250;
/** After a fault, lines that have ended are told again so much later. */
const faultMs = 60_000;

/** Has the receiver told of lines that have ended. Returns when more may have. */
export function tellWhenDue(shard: Shard): number {
  const { opened, pending, answering } = shard;
  if (opened.answers !== true || pending.has('answer')) return Number.POSITIVE_INFINITY;
  const dueMs = answering.atMs + everyMs;
  const nowMs = nowOf(shard);
  // Hundreds of lines are looked at each time, so this is not done at each wake-up.
  if (nowMs < dueMs) return dueMs;
  answering.atMs = nowMs;
  const of = endsIn(shard).slice(0, togetherMax);
  return beginCall(shard, {
    want: 'answer',
    of,
    dueMs: () => dueMs,
    call: (due) => tell(shard, due),
  });
}

/** Has the receiver told of all lines that have ended, before their shard reports its end. */
export async function tellLines(shard: Shard): Promise<void> {
  if (shard.opened.answers !== true) return;
  const { answering } = shard;
  for (let mayWait = true; ; ) {
    const lines = endsIn(shard).slice(0, togetherMax);
    if (lines.length === 0) return;
    const fault = await tell(shard, lines);
    if (fault === undefined || answering.again !== true) continue;
    const lost = await tryAgain(shard.payout.workflowId, lines.map(endOf), { fault, mayWait });
    // The others would be lost as well. The shard waits for them no longer.
    if (lost !== undefined) mayWait = false;
    markTold(shard, lines);
  }
}

/** Has the receiver told of some lines. Returns the reason if it is not, which the lines show. */
async function tell(shard: Shard, lines: readonly LineResult[]): Promise<string | undefined> {
  const { answering } = shard;
  const fault = await startAnswer(shard.payout.workflowId, lines.map(endOf));
  if (fault !== undefined) {
    noteFault(shard, `the receiver is not told of lines: ${fault}`);
    answering.again ??= mayTryAgain();
    if (answering.again) {
      answering.atMs = nowOf(shard) + faultMs - everyMs;
      return fault;
    }
    countAnswer('lost');
  }
  markTold(shard, lines);
  return fault;
}

function markTold({ carried }: Shard, lines: readonly LineResult[]): void {
  carried.answered = { ...carried.answered, ...endMarks(lines) };
}

/** The ends of some lines, by the items of the lines. */
export function endMarks(lines: readonly LineResult[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => [line.lineId, markOf(line)]));
}

/** The lines whose ends the receiver was not told of. */
function endsIn(shard: Shard): LineResult[] {
  const { carried, lines, writes } = shard;
  const isEnded = new Set(lines.flatMap((line) => (isOver(writes.stateOf(line)) ? line.item : [])));
  if (isEnded.size === 0) return [];
  return resultsOf(shard).filter(
    (line) => isEnded.has(line.lineId) && carried.answered?.[line.lineId] !== markOf(line),
  );
}

/** One end of a line. A retried line, or one that is continued, may have another. */
function markOf({ outcome, generation }: LineResult): string {
  return `${outcome}#${generation}`;
}

function endOf(line: LineResult): End {
  const { grounds: _, place: __, ...data } = line;
  const { generation, outcome, settledAt } = data;
  const type: EndType = `line.${outcome === 'waiting' ? 'unknown' : outcome}`;
  const timestamp = settledAt ?? new Date().toISOString();
  return { type, attempt: generation, timestamp, data };
}
