import type { Fault } from './judge/judge';
import { replayAll } from './judge/replay';
import { backendWorkflow } from './lane';
import { orderNames } from './orderName';
import { type Judging, judgeAll } from './stage';
import { placeOf, type WaveResult } from './wave';

/** A fault, and the flow and the point at which it was met. */
export type Finding = { place: string; fault: Fault; order: string; evidence: string };

/**
 * Judges all orders of a stack once more, since a second payment may come late. Replays each
 * workflow, since one that cannot be replayed is stuck from the next restart of its worker. Returns
 * what was not found before.
 */
export async function audit(
  marked: Judging,
  results: readonly WaveResult[],
  { bundle, findings }: { bundle: string; findings: readonly Finding[] },
): Promise<Finding[]> {
  const known = new Set(findings.map(({ order }) => order));
  const ended = results.flatMap((result) => result.ended);
  const judged = await judgeAll(marked, ended);
  const ours = `WorkflowType != '${backendWorkflow}'`;
  const strayed = await replayAll(marked.lane.observer, bundle, ours);
  return results
    .flatMap(({ outcomes }) => outcomes)
    .flatMap((outcome) => {
      const [place, { order }] = [placeOf(outcome), outcome];
      const complaints = known.has(order) ? [] : (judged.get(order) ?? []);
      const apart = strayed.filter(({ workflowId }) => orderNames(workflowId).includes(order));
      return [
        ...complaints.map((complaint) => ({ place, order, ...complaint })),
        ...apart.map(({ evidence }) => ({ place, order, fault: 'strayed' as const, evidence })),
      ];
    });
}
