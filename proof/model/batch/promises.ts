import { tallyOf } from '../../../src/orders/payout/tally';
import type { StepOf } from '../explore';
import type { BatchScope } from './scopes';
import { type Attempt, type BatchWorld, isOf, nameOf } from './world';

/** Says which promise a world breaks. Undefined if it keeps all of them. */
export function brokenPromise(world: BatchWorld, scope: BatchScope): string | undefined {
  const end = world.part?.end;
  if (end !== undefined && end.kind !== 'completed') return `The workflow ends as ${end.kind}.`;
  const batches = Object.values(world.part?.carried?.batches ?? {});
  const known = batches.map(({ payments }) => payments.flatMap(({ line }) => line ?? []));
  const ids = known.flat().map(({ lineId }) => lineId);
  if (new Set(ids).size < ids.length) return 'A line stands in two batches.';
  const together = [
    ...known.map((lines) => lines.map(({ lineId }) => Number(lineId))),
    ...world.records.map(({ pays }) => pays.map(([line]) => line)),
  ];
  if (together.some((lines) => hasAlike(lines, scope))) return 'Two payments alike share a batch.';
  for (const line of [...scope.lines].keys()) {
    const broken = brokenLine(world, line);
    if (broken !== undefined) return broken;
  }
  return world.isDone ? brokenSum(world, scope) : undefined;
}

function hasAlike(lines: readonly number[], scope: BatchScope): boolean {
  const letters = lines.map((line) => scope.lines[line]);
  return new Set(letters).size < letters.length;
}

function brokenLine(world: BatchWorld, line: number): string | undefined {
  const { records, strays, part } = world;
  const own = records.filter(({ pays }) => paysLine(pays, line));
  const paid = own.filter((record) => record.paid.includes(line)).length;
  if (paid > 1) return `${nameOf(line)} was paid ${paid} times.`;
  const late = strays.filter(({ pays }) => paysLine(pays, line));
  const live = own.filter((record) =>
    record.state === 'PENDING' || record.isLoose ? true : record.paid.includes(line),
  );
  const requests = late.filter((one) => !live.some((record) => isOf(record, one))).length;
  if (live.length + requests > 1) {
    return `${nameOf(line)} has two requests or transactions that may pay it.`;
  }
  const outcome = part?.results[line]?.outcome;
  // A restored run does not know of attempts that were made since.
  if (world.isRestored) return undefined;
  if (outcome === 'paid' && paid !== 1) return `${nameOf(line)} is called paid, and it is not.`;
  if ((outcome === 'failed' || outcome === 'skipped') && live.length + requests > 0) {
    return `${nameOf(line)} is called ${outcome}, and it is paid or pending.`;
  }
  return undefined;
}

function paysLine(pays: readonly Attempt[], line: number): boolean {
  return pays.some(([own]) => own === line);
}

/** A part that has ended by itself tells the end of each line. */
function brokenSum(world: BatchWorld, scope: BatchScope): string | undefined {
  const { paid, failed, unknown, skipped } = tallyOf(world.part?.results ?? []);
  const sum = paid + failed + unknown + skipped;
  return sum === scope.lines.length ? undefined : `The part has ended with ${sum} lines.`;
}

function isSkipped({ part }: BatchWorld, line: number): boolean {
  return part?.carried?.writes[`line/${line}`]?.isCancelled === true;
}

function isSent({ records, strays }: BatchWorld, line: number): boolean {
  return [...records, ...strays].some(({ pays }) => paysLine(pays, line));
}

/** Says which promise a step breaks: an end and a skip stay, unless there is a retry. */
export function brokenByStep(before: BatchWorld, step: StepOf<BatchWorld>): string | undefined {
  const { world, words } = step;
  if (before.run !== 'open' || world.run !== 'open' || /reset|restored|retries/.test(words))
    return undefined;
  for (const [line, { outcome }] of before.part?.results.entries() ?? []) {
    const after = world.part?.results[line]?.outcome;
    const isEnd = outcome === 'paid' || outcome === 'failed' || outcome === 'skipped';
    // A restored run may have skipped a line that was sent since. It looks that up once more.
    const isKept = isEnd && !(world.isRestored && outcome === 'skipped');
    if (isKept && after !== outcome) return `${nameOf(line)} was ${outcome}, and is ${after}.`;
    if (isSkipped(before, line) && !isSent(before, line) && isSent(world, line)) {
      return `${nameOf(line)} was to be skipped, and is sent.`;
    }
  }
  return undefined;
}
