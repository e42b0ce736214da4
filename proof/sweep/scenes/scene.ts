import { setTimeout as sleep } from 'node:timers/promises';
import { type Boundary, nameOf } from '../boundary';
import type { Flow } from '../flows/flow';
import type { Complaint } from '../judge/judge';
import type { Lane, LaneOptions } from '../lane';
import type { ProcessName } from '../proxies/gate';
import { judgeAll, mark, prepare, untilEnd } from '../stage';

/** One order of a flow with one crash: kills at a boundary, or an act of the flow itself. */
export type Scene = {
  flow: Flow;
  /** The boundary of the kills and the killed processes, or words for what the flow itself does. */
  crash: { at: Boundary; kills: readonly ProcessName[] } | string;
  /** Options of its stack. */
  stack?: LaneOptions;
};

/** The scene could not be played, so its findings say nothing about the product. */
export class Unplayable extends Error {}

const lookMs = 20;
/** From the start to the crash. Some orders fail first, and are resubmitted. */
const reachMsMax = 40_000;
/** From the crash to the end. */
const healMsMax = 60_000;
const lateMs = 2_000;
/** The settings that a sandbox starts with. */
const asAtFirst = { readLagMs: 0, keyLifetimeMs: 2_592_000_000 } as const;

/** Plays a scene once, and judges its order by the chain. */
export async function playScene(lane: Lane, scene: Scene): Promise<Complaint[]> {
  const marked = await mark(lane);
  const cast = await prepare(lane, scene.flow);
  const { crash } = scene;
  if (typeof crash !== 'string') lane.gate.holdAt(cast.name, crash.at);
  const performing = perform(cast.play);
  const missed = typeof crash === 'string' ? [] : await strike(lane, cast.name, crash);
  const unplayed = await performing;
  const end = await untilEnd(lane, cast, Date.now() + healMsMax);
  // All that was sent is on the chain by then.
  await sleep(lateMs);
  const judged = await judgeAll(marked, [{ cast, end }]);
  await lane.set(asAtFirst);
  lane.gate.clear();
  return [...(judged.get(cast.name) ?? []), ...missed, ...unplayed];
}

/** The place of a finding. */
export function placeOf({ flow, crash }: Scene): string {
  if (typeof crash === 'string') return `${flow.name} · ${crash}`;
  return `${flow.name} · ${nameOf(crash.at)} · ${crash.kills.join(' and ')} killed`;
}

/** Plays the caller. A step that fails is a complaint. */
async function perform(play: {
  start(): Promise<unknown>;
  act?(): Promise<void>;
}): Promise<Complaint[]> {
  try {
    await play.start();
    await play.act?.();
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fault = error instanceof Unplayable ? 'unreached' : 'stuck';
    return [{ fault, evidence: `Its caller could not go on: ${why}` }];
  }
}

async function strike(
  lane: Lane,
  order: string,
  { at, kills }: { at: Boundary; kills: readonly ProcessName[] },
): Promise<Complaint[]> {
  const endMs = Date.now() + reachMsMax;
  while (!lane.gate.isHeld(order) && Date.now() < endMs) await sleep(lookMs);
  const isHeld = lane.gate.isHeld(order);
  if (isHeld) await lane.kill(kills);
  lane.gate.release(kills);
  await lane.revive(kills);
  return isHeld ? [] : [{ fault: 'unreached', evidence: `It never reached ${nameOf(at)}.` }];
}
