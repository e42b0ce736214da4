import { setTimeout as sleep } from 'node:timers/promises';
import { type Boundary, nameOf } from './boundary';
import type { Flow } from './flow';
import type { ProcessName } from './gate';
import type { Complaint } from './judge';
import type { Lane, LaneOptions } from './lane';
import { judgeAll, mark, prepare, untilEnd } from './stage';

/** One order of a flow, at one crash: of a process at a boundary, or of a kind that the flow makes. */
export type Scene = {
  flow: Flow;
  /** Where the order is held and what is killed then, or in words what the flow itself does to it. */
  crash: { at: Boundary; kills: readonly ProcessName[] } | string;
  /** What its stack has to be otherwise. */
  stack?: LaneOptions;
};

/** The scene itself did not come about: what is found then says nothing of the product. */
export class Unplayable extends Error {}

const lookMs = 20;
/** From the start to the crash: some orders fail first, and are attempted anew. */
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
  // What has left shows on the chain by then, whatever the order makes of it.
  await sleep(lateMs);
  const judged = await judgeAll(marked, [{ cast, end }]);
  await lane.set(asAtFirst);
  lane.gate.clear();
  return [...(judged.get(cast.name) ?? []), ...missed, ...unplayed];
}

/** How a finding says where it was met. */
export function placeOf({ flow, crash }: Scene): string {
  if (typeof crash === 'string') return `${flow.name} · ${crash}`;
  return `${flow.name} · ${nameOf(crash.at)} · ${crash.kills.join(' and ')} killed`;
}

/** Whatever the caller does; what it cannot do, since the order is not where it should be, is told. */
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
  return isHeld ? [] : [{ fault: 'unreached', evidence: `It never came by ${nameOf(at)}.` }];
}
