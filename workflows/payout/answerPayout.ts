import {
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  setHandler,
} from '@temporalio/workflow';
import type { PayoutPart } from '../../src/orders/payout';
import type { PartTold } from '../../src/orders/payout/partTold';
import { rateMax, rateMin } from '../../src/orders/payout/rate';
import { waitingIn } from '../../src/orders/payout/tally';
import { counted } from '../../src/orders/progress/doing';
import { type Finding, faultOf } from '../../src/orders/progress/resolve';
import { askOnce, longReads, refusal } from '../order/activities';
import { resolveUpdate, wakeSignal } from '../order/handlers';
import { noteDone, noteRequest } from '../order/show';
import { once } from '../write/once';
import { askUntilAnswered, untilOpened } from './asking';
import { beginBook, bookOf, isPartOver, type LivePayout, partsOf, tallyOfPart } from './book';
import { type ShardReport, type Skip, skipUpdate } from './records';
import { sealParts, type Taken, takePart, type Warnings } from './takeParts';

const addLinesUpdate = defineUpdate<Taken, [PayoutPart]>('addLines');
const sealUpdate = defineUpdate<Warnings, [unknown]>('seal');
const rateUpdate = defineUpdate<void, [{ linesPerS: number | null }]>('rate');
const retryUpdate = defineUpdate<{ lines: number }, [{ targets: string[] }]>('retry');
const reportSignal = defineSignal<[ShardReport]>('report');
const partsQuery = defineQuery<PartTold[]>('parts');

/** Answers the updates and queries that only payouts have. */
export function answerPayout(live: LivePayout): void {
  beginBook(live);
  setHandler(addLinesUpdate, (part) => takePart(live, part), {
    description:
      'Hand over a part of the lines: {"part": 1, "lines": [{"lineId", "to", "amount", "token"}]}. ' +
      'Nothing is paid before the seal, and the same part may be handed over again.',
  });
  setHandler(sealUpdate, (request) => sealParts(live, request), {
    description:
      'Say that all lines are there: {"parts": 2, "totals": {"USDC": "12.50"}}. They are checked ' +
      'together, and then paid.',
  });
  setHandler(rateUpdate, ({ linesPerS }) => setRate(live, linesPerS), {
    description:
      'How many lines are sent in a second: {"linesPerS": 3}; null is as many as the service takes.',
    validator: refuseNoRate,
  });
  setHandler(retryUpdate, ({ targets }) => askOnce(() => retry(live, targets)), {
    description:
      'Retry failed lines under new keys, each named by the generation that has failed: ' +
      '{"targets": ["line/<lineId>#<generation>"]}. The same request again changes nothing.',
  });
  setHandler(skipUpdate, (request) => askOnce(() => skip(live, request)), {
    description:
      'Have lines not be paid that wait: {"lineIds": ["…"], "reason": "…"}. An unknown line is ' +
      'given up so, and stays unknown.',
    validator: refuseNoSkip,
  });
  setHandler(resolveUpdate, (finding) => askOnce(() => resolve(live, finding)), {
    description:
      'Say what became of a line that is unknown: {"target": "line/<lineId>#<generation>", ' +
      '"finding": "completed" | "noEffect" | "retry" | "skip", "evidence": "…"}. It is verified.',
  });
  setHandler(reportSignal, (report) => hear(live, report));
  setHandler(wakeSignal, () => wakeAll(live));
  setHandler(partsQuery, () => told(live), {
    description: 'The parts of this payout, and the workflows that pay them.',
  });
}

function told(live: LivePayout): PartTold[] {
  const { sealed: isSealed } = bookOf(live);
  return partsOf(live).map(({ part, shardId, lines, hash, totals }) => {
    return { part, shardId, lines, hash, totals, isSealed };
  });
}

function refuseNoRate(request: { linesPerS?: unknown } | null): void {
  const { linesPerS } = request ?? {};
  const isRate = typeof linesPerS === 'number' && linesPerS >= rateMin && linesPerS <= rateMax;
  if (linesPerS === null || isRate) return;
  throw new Error(
    `linesPerS: must be a number from ${rateMin} to ${rateMax}, or null for no limit.`,
  );
}

function refuseNoSkip(request: Partial<Record<keyof Skip, unknown>> | null): void {
  const { lineIds, reason } = request ?? {};
  const isList = Array.isArray(lineIds) && lineIds.length > 0;
  if (!isList) throw new Error('lineIds: must be a list of the ids of lines.');
  if (!reason) throw new Error('reason: is missing. Say why, for whoever reads this.');
}

function hear(live: LivePayout, report: ShardReport): void {
  const part = live.carried.payout?.parts[report.part];
  if (part === undefined) return;
  part.report = report;
  if (part.steer) part.steer.openMax = Math.min(part.steer.openMax, waitingIn(report.tally));
  if (report.isOver) part.mustSee = true;
  else delete part.result;
  live.woken = true;
}

function wakeAll(live: LivePayout): void {
  for (const part of partsOf(live)) {
    if (isPartOver(part)) continue;
    part.mustSee = true;
    getExternalWorkflowHandle(part.shardId)
      .signal('wake')
      .catch(() => {});
  }
  live.woken = true;
}

function setRate(live: LivePayout, linesPerS: number | null): void {
  noteRequest(
    live,
    linesPerS === null ? 'as fast as it goes' : `${counted(linesPerS, 'line')} a second`,
  );
  bookOf(live).linesPerS = linesPerS;
  live.woken = true;
}

/**
 * Retries failed lines. A shard that is done is started again for it. Lines that an order has
 * decided to retry may have ended otherwise since: they are passed over.
 */
export async function retry(
  live: LivePayout,
  targets: string[],
  { isDecided = false } = {},
): Promise<{ lines: number }> {
  await untilOpened(live);
  const shardIds = partsOf(live).map(({ shardId }) => shardId);
  try {
    await longReads('retry failed lines').retryLines({ shardIds, targets, isDecided });
  } finally {
    // The answer may be lost after some were started again.
    for (const part of partsOf(live)) if (tallyOfPart(part).failed > 0) part.mustSee = true;
    live.woken = true;
  }
  const names = targets.slice(0, 10).join(', ');
  noteRequest(live, `${counted(targets.length, 'failed line')} to be retried: ${names}`);
  return { lines: targets.length };
}

/** Has the shards pay what the cancellation of an earlier run has left. Once in the life of a run. */
export async function continueParts(live: LivePayout): Promise<void> {
  const { earlier, order } = live.opened;
  const { continued: time = 0 } = order;
  if (!earlier.continues || live.carried.cancelAsked) return;
  await once(live, 'continued', async () => {
    const left = partsOf(live).filter((part) => part.result?.tally.skipped !== 0);
    const shardIds = left.map(({ shardId }) => shardId);
    await askUntilAnswered(live, () =>
      longReads('continue the lines that are left').continueLines({ shardIds, time }),
    );
    for (const part of left) part.mustSee = true;
    noteDone(live, `continued: what its cancellation has left is paid (${time})`);
    return time;
  });
}

async function skip(live: LivePayout, request: Skip): Promise<string> {
  await untilOpened(live);
  const shardIds = partsOf(live).map(({ shardId }) => shardId);
  const answer = await longReads('skip lines').askShards({ shardIds, update: 'skip', request });
  const few = request.lineIds.slice(0, 10).join(', ');
  noteRequest(live, `to be skipped, unless sent before: ${few}: ${request.reason}`);
  return answer;
}

async function resolve(live: LivePayout, finding: Finding): Promise<string> {
  const fault = faultOf(finding);
  if (fault !== undefined) throw refusal(fault);
  await untilOpened(live);
  const { target } = finding;
  const asking = partsOf(live).filter(({ report }) => report?.unknown.length);
  const shardIds = asking.map(({ shardId }) => shardId);
  if (shardIds.length === 0) {
    throw refusal(`target: ${target} does not wait for a finding. None does now.`);
  }
  const wish = { shardIds, update: 'resolve' as const, request: finding };
  const answer = await longReads(`resolve ${target}`).askShards(wish);
  noteRequest(live, `resolved: ${target} is ${finding.finding}, ${finding.evidence}`);
  return answer;
}
