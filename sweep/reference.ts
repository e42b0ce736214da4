import type { Flow } from './flow';
import type { Reached } from './gate';
import type { Lane } from './lane';
import { judgeAll, mark, perform, prepare, untilEnd } from './stage';
import { replaceWorker } from './wave';

const runMsMax = 60_000;

/**
 * Runs a flow once, with nothing in its way, and returns every boundary that it came by. Throws
 * when it does not end as it should: then there is nothing to sweep.
 */
export async function recordFlow(lane: Lane, flow: Flow): Promise<Reached[]> {
  if (flow.needsFreshWorker) await replaceWorker(lane);
  const marked = await mark(lane);
  const cast = await prepare(lane, flow);
  const performing = perform(cast);
  const end = await untilEnd(lane, cast, Date.now() + runMsMax);
  await performing;
  const complaints = (await judgeAll(marked, [{ cast, end }])).get(cast.name) ?? [];
  if (complaints.length > 0) {
    const words = complaints.map(({ evidence }) => evidence).join('\n');
    throw new Error(`"${flow.name}" does not work even when nothing is killed.\n${words}`);
  }
  const trace = [...lane.gate.trace(cast.name)];
  lane.gate.clear();
  return trace.filter(({ call }) => (flow.calls ?? /./).test(call));
}

/** A worker that has written before: what only the first of its writes needs is behind it. */
export async function warmUp(lane: Lane, flow: Flow): Promise<void> {
  await recordFlow(lane, flow);
}
