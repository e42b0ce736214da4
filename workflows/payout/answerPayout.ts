import {
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  getExternalWorkflowHandle,
  setHandler,
} from '@temporalio/workflow';
import type { PayoutPart, PayoutSeal } from '../../src/orders/payout';
import { type LineTarget, lineTarget } from '../../src/orders/payout/lineTarget';
import { counted } from '../../src/orders/payout/tally';
import { type Finding, faultOf } from '../../src/orders/progress/resolve';
import { longReads } from '../order/custody';
import { resolveUpdate, wakeSignal } from '../order/handlers';
import { asked } from '../order/show';
import { type Asking, answered, refusal } from './asking';
import { bookOf, isOver, type LivePayout, partsOf, tallyOfPart } from './book';
import type { Part, ShardReport } from './records';
import { readTargets, refuseNoIds, refuseNoPart, refuseNoRate, refuseNoSeal } from './refuseForm';
import { sealParts, type Taken, takePart } from './takeParts';

const addLinesUpdate = defineUpdate<Taken, [PayoutPart]>('addLines');
const sealUpdate = defineUpdate<{ warnings: string[] }, [PayoutSeal]>('seal');
const rateUpdate = defineUpdate<void, [{ linesPerS: number | null }]>('rate');
const retryUpdate = defineUpdate<{ lines: number }, [{ targets: string[] }]>('retry');
const skipUpdate = defineUpdate<string, [{ lineIds: string[]; reason: string }]>('skip');
const reportSignal = defineSignal<[ShardReport]>('report');
const partsQuery = defineQuery<{ part: number; shardId: string }[]>('parts');

/** What a payout answers besides what every order does. */
export function answerPayout(live: LivePayout): void {
  setHandler(addLinesUpdate, (part) => takePart(live, part), {
    description:
      'Hand over a part of the lines: {"part": 1, "lines": [{"lineId", "to", "amount", "token"}]}. ' +
      'Nothing is paid before the seal, and the same part may be handed over again.',
    validator: refuseNoPart,
  });
  setHandler(sealUpdate, (request) => sealParts(live, request), {
    description:
      'Say that all lines are there: {"parts": 2, "totals": {"USDC": "12.50"}}. They are checked ' +
      'together, and then paid.',
    validator: refuseNoSeal,
  });
  setHandler(rateUpdate, ({ linesPerS }) => setRate(live, linesPerS), {
    description:
      'How many lines are sent in a second: {"linesPerS": 3}; null is as many as the service takes.',
    validator: refuseNoRate,
  });
  setHandler(retryUpdate, ({ targets }) => retry(live, readTargets(targets)), {
    description:
      'Retry failed lines under new keys, each named by the generation that has failed: ' +
      '{"targets": ["line/<lineId>#<generation>"]}. The same request again changes nothing.',
    validator: (request) => void readTargets(request?.targets),
  });
  setHandler(skipUpdate, (request) => skip(live, request), {
    description:
      'Have lines not be paid that wait: {"lineIds": ["…"], "reason": "…"}. One that is unknown is ' +
      'given up so, and stays unknown.',
    validator: (request) => {
      refuseNoIds(request?.lineIds);
      if (!request.reason) throw new Error('reason: is missing. Say why, for whoever reads this.');
    },
  });
  setHandler(resolveUpdate, (finding) => resolve(live, finding), {
    description:
      'Say what became of a line that is unknown: {"target": "line/<lineId>#<generation>", ' +
      '"finding": "completed" | "noEffect" | "retry" | "skip", "evidence": "…"}. It is verified.',
    validator: (finding) => {
      const fault = faultOf(finding);
      if (fault !== undefined) throw new Error(fault);
    },
  });
  setHandler(reportSignal, (report) => hear(live, report), {
    description: 'From its shards: where their lines stand.',
  });
  setHandler(wakeSignal, () => wakeAll(live), {
    description: 'Look again now instead of at the next tick. Its content is not believed.',
  });
  setHandler(partsQuery, () => parts(live).map(({ part, shardId }) => ({ part, shardId })), {
    description: 'The parts of this payout, and the workflows that pay them.',
  });
}

function parts(live: LivePayout): Part[] {
  return live.carried.payout === undefined ? [] : partsOf(live.carried.payout);
}

function hear(live: LivePayout, report: ShardReport): void {
  const part = live.carried.payout?.parts[report.part];
  if (part === undefined) return;
  part.report = report;
  if (report.stage === 'over') part.mustSee = true;
  else delete part.result;
  live.woken = true;
}

function wakeAll(live: LivePayout): void {
  for (const part of parts(live)) {
    if (isOver(part)) continue;
    part.mustSee = true;
    getExternalWorkflowHandle(part.shardId)
      .signal('wake')
      .catch(() => {});
  }
  live.woken = true;
}

function setRate(live: LivePayout, linesPerS: number | null): void {
  asked(live, linesPerS === null ? 'as fast as it goes' : `${counted(linesPerS, 'line')} a second`);
  bookOf(live).linesPerS = linesPerS;
  live.woken = true;
}

/** Retries failed lines. A shard that is done is started again for it. */
export async function retry(
  live: LivePayout,
  targets: LineTarget[],
  asking: Asking = answered,
): Promise<{ lines: number }> {
  await condition(() => live.carried.opened !== undefined);
  const shardIds = parts(live).map(({ shardId }) => shardId);
  try {
    await asking(() => longReads('retry failed lines').retryLines({ shardIds, targets }));
  } finally {
    // The answer may be lost after some were started again.
    for (const part of parts(live)) if (tallyOfPart(part).failed > 0) part.mustSee = true;
    live.woken = true;
  }
  const names = targets.slice(0, 10).map(lineTarget).join(', ');
  asked(live, `${counted(targets.length, 'failed line')} to be retried: ${names}`);
  return { lines: targets.length };
}

async function skip(
  live: LivePayout,
  request: { lineIds: string[]; reason: string },
): Promise<string> {
  const shardIds = parts(live).flatMap((part) => (isOver(part) ? [] : part.shardId));
  const wish = { shardIds, update: 'skip' as const, request };
  const answers = await answered(() => longReads('skip lines').askShards(wish));
  asked(live, `to be skipped: ${request.lineIds.slice(0, 10).join(', ')}: ${request.reason}`);
  return answers.join(' ');
}

async function resolve(live: LivePayout, finding: Finding): Promise<string> {
  const asking = parts(live).filter(({ report }) => (report?.unknown.length ?? 0) > 0);
  const told = asking.filter(({ report }) =>
    report?.unknown.some(({ target }) => target === finding.target),
  );
  const shardIds = (told.length > 0 ? told : asking).map(({ shardId }) => shardId);
  if (shardIds.length === 0) {
    throw refusal(`target: ${finding.target} does not wait for a finding. None does now.`);
  }
  const wish = { shardIds, update: 'resolve' as const, request: finding };
  const answers = await answered(() => longReads(`resolve ${finding.target}`).askShards(wish));
  asked(live, `resolved: ${finding.target} is ${finding.finding}, ${finding.evidence}`);
  return answers.join(' ');
}
