import type { Finding } from '../../../src/orders/progress/resolve';
import type { Trace, WriteState } from '../../../workflows/write/machine/writeState';
import { nowMs } from '../world';
import { type Parts, requestOf } from './part';
import { heard, looked, recordOf } from './partSteps';
import { knownOf } from './runSteps';
import {
  type BatchStep,
  type BatchWorld,
  isLive,
  isOf,
  nameOf,
  type Request,
  spent,
  wordsOf,
} from './world';

/** Things that people do to a part: cancel, skip, retry, wake, answer. */
export function personSteps(world: BatchWorld, parts: Parts): BatchStep[] {
  return [
    ...cancels(world, parts),
    ...skips(world, parts),
    ...retries(world, parts),
    ...wakes(world, parts),
    ...findings(world, parts),
  ];
}

function cancels(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (!parts.scope.cancels || run !== 'open' || !part || part.carried.cancelAsked) return [];
  const after = parts.after(part, 'cancel', ({ carried }) => {
    carried.cancelAsked = true;
  });
  return [{ words: 'Somebody cancels the payout.', world: { ...world, part: after }, helps: true }];
}

function skips(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (!parts.scope.skips || run !== 'open' || part === undefined) return [];
  return part.results.flatMap(({ lineId, outcome }, line) => {
    if (outcome !== 'waiting' || part.carried.writes[`line/${lineId}`]?.isCancelled) return [];
    const after = parts.after(part, `skip ${lineId}`, (shard) => {
      parts.machine.skipNow(shard, { lineIds: [lineId], reason: 'a test' });
    });
    if (after === part) return [];
    const words = `Somebody skips ${nameOf(line)}: ${after.told}.`;
    return [{ words, world: { ...world, part: after }, helps: true }];
  });
}

/** A retry names a failed attempt. A part that has ended is started again for it. */
function retries(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run, left, starts } = world;
  if (left.retries === 0 || run === 'none' || part === undefined) return [];
  const size = parts.scope.sizes[Math.max(starts - 1, 0)] ?? false;
  return part.results.flatMap(({ lineId, outcome, generation }, line) => {
    if (outcome !== 'failed') return [];
    const open = run === 'open' ? part : parts.opened(size, knownOf(world));
    const after = parts.after(open, `retry ${lineId} ${generation}`, (shard) => {
      parts.machine.retryNow(shard, [{ lineId, generation }]);
    });
    const words = `Somebody retries ${nameOf(line)}#${generation}: ${after.told}.`;
    const again = { ...spent(world, 'retries'), run: 'open', part: after, isDone: false } as const;
    return [{ words, world: again, helps: false }];
  });
}

/** A signal wakes the part. A notice of the service does less: it changes no line. */
function wakes(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (run !== 'open' || part === undefined) return [];
  const after = parts.after(part, 'wake', (shard) => parts.machine.wake(shard));
  const words = `A signal wakes the part: ${after.told}.`;
  return after === part ? [] : [{ words, world: { ...world, part: after }, helps: false }];
}

/** Somebody answers rightly. Wrong answers belong to the layer of one write. */
function findings(world: BatchWorld, parts: Parts): BatchStep[] {
  const { part, run } = world;
  if (run !== 'open' || part === undefined) return [];
  const { machine } = parts;
  const shard = parts.shardOf(part);
  return shard.payments.at('unknown', 'disputed').flatMap((one) => {
    const request = requestOf(shard, one);
    const state = shard.writes.stateOf(one);
    const terms = { nowMs, keyLifetimeMs: shard.opened.keyLifetimeMs };
    return rightFindings(world, { state, request }).flatMap((found) => {
      if (machine.refusalOf(state, found, terms) !== undefined) return [];
      const { finding } = found.finding;
      const before = finding === 'noEffect' ? looked(world, { part, parts, shard }, [one]) : part;
      const after = heard(parts, before, { one, happening: { kind: 'found', ...found } });
      const words = `Somebody says ${finding} of ${wordsOf(request)}`;
      const changed = { ...world, part: after };
      return [{ words: `${words}: ${after.told}.`, world: changed, helps: true }];
    });
  });
}

type Found = { finding: Finding; trace?: Trace };

function rightFindings(
  { strays, records }: BatchWorld,
  { state, request }: { state: WriteState; request: Request },
): Found[] {
  const { path, generation } = request;
  const said = (finding: Finding['finding']): Found => ({
    finding: { target: `${path}#${generation}`, finding, evidence: '' },
  });
  const { accepted, transactionId = '', paidIn } = state;
  const record = records[Number(transactionId)];
  if (paidIn !== undefined && accepted !== undefined && record !== undefined) {
    const trace = { generation, accepted, record: recordOf(record, Number(transactionId)) };
    return [said('skip'), { ...said('completed'), trace }];
  }
  const mayPay =
    strays.some((stray) => isOf(stray, request)) ||
    records.some((one) => isOf(one, request) && isLive(one));
  return mayPay ? [said('skip')] : [said('skip'), said('noEffect')];
}
