import type { Finding } from '../../../src/orders/progress/resolve';
import { idOf, indexIn } from '../loop/records';
import { hasHeard } from '../loop/temporal/positions';
import { type Part, type Parts, room } from './part';
import { moved } from './partSteps';
import { knownOf } from './runSteps';
import { type BatchStep, type BatchWorld, isLive, isOf, nameOf, type Record, spent } from './world';

/** Things that people do to a part: cancel, skip, retry, wake, answer. */
export function personSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (part === undefined || run === 'none') return [];
  if (run === 'closed') return retries(world, part, parts);
  return [cancels, skips, retries, wakes, findings].flatMap((steps) => steps(world, part, parts));
}

/** The part after a message. Undefined if it is refused, so that nothing changes. */
function after(part: Part, parts: Parts, [name, given]: [string, unknown]): Part | undefined {
  const { place, answer } = parts.places.next(part, { kind: 'message', name, given });
  const isIdle = answer?.refused !== undefined || answer?.said?.includes('is not skipped') === true;
  return isIdle || place === part ? undefined : place;
}

function step(world: BatchWorld, words: string, part: Part | undefined): BatchStep[] {
  if (part === undefined) return [];
  return [{ words: `${words}: ${part.told}.`, world: moved(world, part), helps: true }];
}

function cancels(world: BatchWorld, part: Part, parts: Parts): BatchStep[] {
  if (!parts.scope.cancels || part.carried?.cancelAsked === true) return [];
  const cancelled = after(part, parts, ['steer', { ...room, isCancelled: true }]);
  return step(world, 'Somebody cancels the payout', cancelled);
}

function skips(world: BatchWorld, part: Part, parts: Parts): BatchStep[] {
  if (!parts.scope.skips) return [];
  return part.results.flatMap(({ lineId, outcome }, line) => {
    if (outcome !== 'waiting' || part.carried?.writes[`line/${lineId}`]?.isCancelled) return [];
    const skipped = after(part, parts, ['skip', { lineIds: [lineId], reason: 'a test' }]);
    return step(world, `Somebody skips ${nameOf(line)}`, skipped);
  });
}

/** A retry names a failed attempt. A part that has ended is started again for it. */
function retries(world: BatchWorld, part: Part, parts: Parts): BatchStep[] {
  const { run, left, starts } = world;
  if (left.retries === 0) return [];
  const size = parts.scope.sizes[Math.max(starts - 1, 0)] ?? false;
  return part.results.flatMap(({ lineId, outcome, generation }, line) => {
    if (outcome !== 'failed') return [];
    const given = [{ lineId, generation }];
    const retried =
      run === 'open'
        ? after(part, parts, ['retry', given])
        : parts.opened(size, knownOf(world), { kind: 'message', name: 'retry', given });
    const words = `Somebody retries ${nameOf(line)}#${generation}`;
    const again = { ...spent(world, 'retries'), run: 'open', isDone: false } as const;
    return step(again, words, retried).map((one) => ({ ...one, helps: false }));
  });
}

/** A signal wakes a part that only waits for time to pass. Another one waits for its calls. */
function wakes(world: BatchWorld, part: Part, parts: Parts): BatchStep[] {
  if (part.calls.length > 0) return [];
  const woken = step(world, 'A signal wakes the part', after(part, parts, ['wake', {}]));
  return woken.map((one) => ({ ...one, helps: false }));
}

/** Somebody answers rightly. Wrong answers belong to the layer of one write. */
function findings(world: BatchWorld, part: Part, parts: Parts): BatchStep[] {
  // A run hears one finding. It hands its state on before the next one.
  if (hasHeard(part.script, 'resolve')) return [];
  return Object.entries(part.carried?.writes ?? {}).flatMap(([path, state]) => {
    const { stage, generation, paidIn, transactionId = '' } = state;
    if (stage !== 'unknown' && stage !== 'disputed') return [];
    const target = `${path}#${generation}`;
    const paid = paidIn === undefined ? undefined : world.records[indexIn(transactionId)];
    return rightFindings(world, { path, generation }, paid).flatMap((finding) => {
      const evidence = transactionId || idOf(90);
      const said = after(part, parts, ['resolve', { target, finding, evidence }]);
      return step(world, `Somebody says ${finding} of ${path}`, said);
    });
  });
}

function rightFindings(
  { strays, records }: BatchWorld,
  request: Pick<Record, 'path' | 'generation'>,
  paid: Record | undefined,
): Finding['finding'][] {
  if (paid !== undefined) return ['skip', 'completed'];
  const mayPay =
    strays.some((stray) => isOf(stray, request)) ||
    records.some((one) => isOf(one, request) && isLive(one));
  return mayPay ? ['skip'] : ['skip', 'noEffect'];
}
