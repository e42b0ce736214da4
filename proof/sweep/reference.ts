import { nameOf } from './boundary';
import { type Flow, isAlone, publicKey } from './flows/flow';
import type { Lane } from './lane';
import type { Target } from './plan';
import type { Reached } from './proxies/gate';
import { judgeAll, mark, perform, prepare, untilEnd } from './stage';
import { replaceWorker } from './wave';

const runMsMax = 120_000;

/** One run of a flow, and the boundaries that it reached, in sequence. */
type Recording = { flow: Flow; reached: readonly Reached[] };

/**
 * Runs each flow once, without faults, and returns every boundary that it reached. Throws when a
 * flow does not end as it should, since then there is nothing to sweep.
 */
export async function recordFlows(lane: Lane, flows: readonly Flow[]): Promise<Recording[]> {
  const recordings: Recording[] = [];
  for (const flow of flows.filter(isAlone)) {
    if (flow.needsFreshWorker) await replaceWorker(lane);
    recordings.push(...(await recordTogether(lane, [flow])));
    await lane.shiftClock(0);
    await lane.limit(undefined);
  }
  const others = flows.filter((flow) => !isAlone(flow));
  return [...recordings, ...(await recordTogether(lane, others))];
}

/** Runs flows at the same time. The order's name in each call tells the orders apart. */
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
      const { swept = /./ } = flow;
      const trace = lane.gate.trace(cast.name);
      return { flow, reached: trace.filter((boundary) => swept.test(nameOf(boundary))) };
    }
    const why = `"${flow.name}" does not work even when nothing is killed.`;
    throw new Error(`${why}\n${complaint.evidence}`);
  });
  lane.gate.clear();
  return recordings;
}

/**
 * The number of an order's polls differs from run to run. The sweep takes the boundaries of all
 * runs, and only the first of each repeated call. Returns how many are left out.
 */
export async function recordTwice(
  lane: Lane,
  flows: readonly Flow[],
): Promise<{ targets: Target[]; left: number }> {
  const unknown = flows.filter(({ boundaries }) => boundaries === undefined);
  const once = await recordFlows(lane, unknown);
  const again = await recordFlows(lane, unknown);
  const more = unknown.flatMap((flow) => Array.from({ length: flow.moreRuns ?? 0 }, () => flow));
  const recordings = [...once, ...again, ...(await recordFlows(lane, more))];
  let left = 0;
  const targets = flows.flatMap((flow): Target[] => {
    if (flow.boundaries !== undefined) {
      return flow.boundaries.map((at) => ({ flow: flow.name, boundary: { ...at, atMs: 0 } }));
    }
    const [first, ...others] = recordings.filter((recording) => recording.flow === flow);
    const known = others.map(({ reached }) => new Set(reached.map(nameOf)));
    const isSure = (boundary: Reached): boolean =>
      known.every((names) => names.has(nameOf(boundary))) &&
      (flow.needsFreshWorker === true || !publicKey.test(nameOf(boundary))) &&
      (boundary.nth === 1 || flow.untilTimeIsUp?.test(boundary.call) !== true);
    const sure = first?.reached.filter(isSure) ?? [];
    left += (first?.reached.length ?? 0) - sure.length;
    return sure.map((boundary) => ({ flow: flow.name, boundary }));
  });
  return { targets, left };
}
