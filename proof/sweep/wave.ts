import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from './boundary';
import type { Cast, Flow } from './flows/flow';
import type { Complaint, End } from './judge/judge';
import type { Lane } from './lane';
import type { Target, Wave } from './plan';
import type { ProcessName } from './proxies/gate';
import { type Judging, judgeAll, mark, perform, prepare, untilEnd } from './stage';

/** The outcome of one order of a wave. */
export type Outcome = {
  target: Target;
  kills: readonly ProcessName[];
  order: string;
  /**
   * True when the kill came while the order was held at its boundary. Otherwise it had passed it,
   * or never reached it.
   */
  crashed: boolean;
  complaints: Complaint[];
};

/** The outcomes of a wave, and the data for the final check of the whole chain. */
export type WaveResult = { outcomes: Outcome[]; ended: { cast: Cast; end: End }[] };

/** A call has a deadline of 10 s, so an order may not be held much longer than this. */
const heldMsMax = 4_000;
/** From the start to the moment when all should be held. */
const reachMsMax = 25_000;
/** The same where Temporal forgets an order first, which takes it a while. */
const reachAloneMsMax = 120_000;
/** The answers that orders are held after have arrived by then. */
const arriveMs = 150;
const lookMs = 20;
/** The time that an order may take to its end once everything is back. */
const healMsMax = 120_000;
const performMsMax = 2_000;

type Held = { target: Target; cast: Cast };

/** Starts the orders of a wave, kills when they are held, and judges each once it has ended. */
export async function runWave(
  lane: Lane,
  { kills, targets }: Wave,
  flows: ReadonlyMap<string, Flow>,
): Promise<WaveResult> {
  const flowOf = ({ flow }: Target): Flow => {
    const found = flows.get(flow);
    if (found === undefined) throw new Error(`There is no flow "${flow}".`);
    return found;
  };
  if (targets.some((target) => flowOf(target).needsFreshWorker)) await replaceWorker(lane);
  const marked = await mark(lane);
  const held: Held[] = await Promise.all(
    targets.map(async (target) => ({ target, cast: await prepare(lane, flowOf(target)) })),
  );
  const gaveUp = new Map<string, string>();
  const performing = startTogether(lane, held, gaveUp);
  const hasUpheaval = targets.some((target) => flowOf(target).isAlone);
  await untilHeld(lane, held, hasUpheaval ? reachAloneMsMax : reachMsMax);
  const crashed = new Set(
    held.filter(({ cast }) => lane.gate.isHeld(cast.name)).map(({ cast }) => cast.name),
  );
  await lane.kill(kills);
  lane.gate.release(kills);
  await lane.revive(kills);
  const deadlineMs = Date.now() + healMsMax;
  const ended = await Promise.all(
    held.map(async ({ cast }) => ({ cast, end: await untilEnd(lane, cast, deadlineMs) })),
  );
  // Nobody waits for the calls of an order that has ended or is stuck.
  await Promise.race([performing, sleep(performMsMax)]);
  const outcomes = await judged(marked, { held, crashed, ended, kills, gaveUp });
  lane.gate.clear();
  await lane.shiftClock(0);
  await lane.limit(undefined);
  return { outcomes, ended };
}

/** A worker that has done nothing yet. */
export async function replaceWorker(lane: Lane): Promise<void> {
  await lane.kill(['worker']);
  await lane.revive(['worker']);
}

/** Starts each order so much later than the last as it takes less time to its boundary. */
function startTogether(
  lane: Lane,
  held: readonly Held[],
  gaveUp: Map<string, string>,
): Promise<unknown> {
  const longestMs = Math.max(...held.map(({ target }) => target.boundary.atMs));
  const performing = held.map(async ({ target, cast }) => {
    lane.gate.holdAt(cast.name, target.boundary);
    await sleep(longestMs - target.boundary.atMs);
    await perform(cast).catch((error: unknown) => {
      gaveUp.set(cast.name, error instanceof Error ? (error.stack ?? error.message) : `${error}`);
    });
  });
  const all = Promise.allSettled(performing);
  return all;
}

async function untilHeld({ gate }: Lane, held: readonly Held[], msMax: number): Promise<void> {
  let endMs = Date.now() + msMax;
  for (;;) {
    const count = held.filter(({ cast }) => gate.isHeld(cast.name)).length;
    if (count > 0) endMs = Math.min(endMs, Date.now() + heldMsMax);
    if (count === held.length || Date.now() > endMs) break;
    await sleep(lookMs);
  }
  await sleep(arriveMs);
}

async function judged(
  marked: Judging,
  wave: {
    held: readonly Held[];
    crashed: ReadonlySet<string>;
    ended: WaveResult['ended'];
    kills: readonly ProcessName[];
    /** Why the caller of an order has given up, by the order. */
    gaveUp: ReadonlyMap<string, string>;
  },
): Promise<Outcome[]> {
  const complaints = await judgeAll(marked, wave.ended);
  return wave.held.map(({ target, cast }) => ({
    target,
    kills: wave.kills,
    order: cast.name,
    crashed: wave.crashed.has(cast.name),
    complaints: (complaints.get(cast.name) ?? []).map((one) => {
      const why = wave.gaveUp.get(cast.name);
      return why === undefined
        ? one
        : { ...one, evidence: `${one.evidence}\n    Its caller gave up: ${why}` };
    }),
  }));
}

/** The place of a finding in a sentence. */
export function placeOf({ target, kills }: Pick<Outcome, 'target' | 'kills'>): string {
  return `${target.flow} · ${nameOf(target.boundary)} · ${kills.join(' and ')} killed`;
}
