import { nameOf } from './boundary';
import type { Flow } from './flow';
import type { Lane } from './lane';
import type { Target } from './plan';
import { judgeAll, mark, perform, prepare, untilEnd } from './stage';
import { replaceWorker } from './wave';

const runMsMax = 60_000;

/**
 * Runs each flow once, with nothing in its way, and returns every boundary that it came by. Throws
 * when one does not end as it should: then there is nothing to sweep.
 */
export async function recordFlows(lane: Lane, flows: readonly Flow[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const flow of flows.filter(({ needsFreshWorker }) => needsFreshWorker)) {
    await replaceWorker(lane);
    targets.push(...(await recordTogether(lane, [flow])));
  }
  const others = flows.filter(({ needsFreshWorker }) => !needsFreshWorker);
  return [...targets, ...(await recordTogether(lane, others))];
}

/** Each order is told from the others by what its calls say of themselves. */
async function recordTogether(lane: Lane, flows: readonly Flow[]): Promise<Target[]> {
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
  const targets = recorded.flatMap(({ flow, cast }): Target[] => {
    const [complaint] = judged.get(cast.name) ?? [];
    if (complaint === undefined) {
      const swept = flow.calls ?? /./;
      const reached = lane.gate.trace(cast.name).filter(({ call }) => swept.test(call));
      return reached.map((boundary) => ({ flow: flow.name, boundary }));
    }
    const why = `"${flow.name}" does not work even when nothing is killed.`;
    throw new Error(`${why}\n${complaint.evidence}`);
  });
  lane.gate.clear();
  return targets;
}

/**
 * How often an order looks again differs from run to run: what all runs come by is swept, and of
 * what is done until time is up, the first. Says how many boundaries are left out.
 */
export async function recordTwice(
  lane: Lane,
  flows: readonly Flow[],
): Promise<{ targets: Target[]; left: number }> {
  const name = ({ flow, boundary }: Target): string => `${flow} · ${nameOf(boundary)}`;
  const untilTimeIsUp = new Map(flows.map((flow) => [flow.name, flow.untilTimeIsUp]));
  const isSure = ({ flow, boundary: { call, nth } }: Target): boolean =>
    nth === 1 || untilTimeIsUp.get(flow)?.test(call) !== true;
  const once = await recordFlows(lane, flows);
  const again = new Set((await recordFlows(lane, flows)).map(name));
  const targets = once.filter((target) => again.has(name(target)) && isSure(target));
  return { targets, left: once.length - targets.length };
}
