import { nameOf } from './boundary';
import type { Flow } from './flow';
import type { Reached } from './gate';
import type { Lane } from './lane';
import type { Target } from './plan';
import { judgeAll, mark, perform, prepare, untilEnd } from './stage';
import { replaceWorker } from './wave';

const runMsMax = 60_000;

/** One run of a flow, and the boundaries that it came by, in their order. */
type Recording = { flow: Flow; reached: readonly Reached[] };

/**
 * Runs each flow once, with nothing in its way, and returns every boundary that it came by. Throws
 * when one does not end as it should: then there is nothing to sweep.
 */
export async function recordFlows(lane: Lane, flows: readonly Flow[]): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const flow of flows.filter(({ needsFreshWorker }) => needsFreshWorker)) {
    await replaceWorker(lane);
    recordings.push(...(await recordTogether(lane, [flow])));
  }
  const others = flows.filter(({ needsFreshWorker }) => !needsFreshWorker);
  return [...recordings, ...(await recordTogether(lane, others))];
}

/** Each order is told from the others by what its calls say of themselves. */
async function recordTogether(lane: Lane, flows: readonly Flow[]): Promise<Recording[]> {
  const marked = await mark(lane);
  const prepared = await Promise.all(
    flows.map(async (flow) => ({ flow, cast: await prepare(lane, flow) })),
  );
  const recorded = await Promise.all(
    prepared.map(async ({ flow, cast }) => {
      const performing = perform(cast);
      const end = await untilEnd(lane, cast, Date.now() + runMsMax);
      await performing;
      return { flow, cast, end };
    }),
  );
  const judged = await judgeAll(marked, recorded);
  const recordings = recorded.map(({ flow, cast }): Recording => {
    const [complaint] = judged.get(cast.name) ?? [];
    if (complaint === undefined) {
      const swept = flow.calls ?? /./;
      return { flow, reached: lane.gate.trace(cast.name).filter(({ call }) => swept.test(call)) };
    }
    const why = `"${flow.name}" does not work even when nothing is killed.`;
    throw new Error(`${why}\n${complaint.evidence}`);
  });
  lane.gate.clear();
  return recordings;
}

/**
 * How often an order looks again differs from run to run: what all runs come by is swept, and of
 * what is done until time is up, the first. Says how many boundaries are left out.
 */
export async function recordTwice(
  lane: Lane,
  flows: readonly Flow[],
): Promise<{ targets: Target[]; left: number }> {
  const once = await recordFlows(lane, flows);
  const again = await recordFlows(lane, flows);
  const more = flows.flatMap((flow) => Array.from({ length: flow.moreRuns ?? 0 }, () => flow));
  const recordings = [...once, ...again, ...(await recordFlows(lane, more))];
  let left = 0;
  const targets = flows.flatMap((flow): Target[] => {
    const [first, ...others] = recordings.filter((recording) => recording.flow === flow);
    const known = others.map(({ reached }) => new Set(reached.map(nameOf)));
    const isSure = (boundary: Reached): boolean =>
      known.every((names) => names.has(nameOf(boundary))) &&
      (boundary.nth === 1 || flow.untilTimeIsUp?.test(boundary.call) !== true);
    const sure = first?.reached.filter(isSure) ?? [];
    left += (first?.reached.length ?? 0) - sure.length;
    return sure.map((boundary) => ({ flow: flow.name, boundary }));
  });
  return { targets, left };
}
