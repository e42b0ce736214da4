import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../test/support/seeded';
import type { Mortal } from './mortal';

/** A process that can be killed and started again. */
export type Victim = Pick<Mortal, 'name' | 'kill' | 'start'>;

type KillPlan = {
  seed: number;
  victims: readonly Victim[];
  /** The number of kills in all. */
  kills: number;
  /** The share of the work that is done, from 0 to 1. May reject while its source is away. */
  done: () => Promise<number>;
  /** Nothing is left to be disturbed. */
  isOver: () => boolean;
};

/** The last kill still finds something to be done. */
const lastAt = 0.9;
const lookMs = 50;
/** So that a kill does not follow upon a look. */
const delayMsMax = 300;
const awayMsMax = 1_000;
const startsMax = 5;

/**
 * Kills one victim after the other and starts it again. The seed decides at which share of the
 * work, so that a slow machine has no more kills than a quick one. Returns the kills of each.
 */
export async function killOnTheWay(plan: KillPlan): Promise<Map<string, number>> {
  const { seed, victims, kills, done, isOver } = plan;
  const random = seeded(seed);
  const next = inTurns(() => victims, random);
  const killed = new Map<string, number>();
  for (let kill = 0; kill < kills; kill += 1) {
    const at = ((kill + random(1_000) / 1_000) / kills) * lastAt;
    const [delayMs, awayMs, victim] = [random(delayMsMax), random(awayMsMax), next()];
    while (!isOver() && (await done().catch(() => 0)) < at) await sleep(lookMs);
    if (isOver()) break;
    await sleep(delayMs);
    await killAndStart(victim, awayMs);
    killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1);
  }
  return killed;
}

/** Kills one victim, waits for a while, and starts it. Calls `whileAway` before the start. */
export async function killAndStart(
  victim: Victim,
  awayMs: number,
  whileAway: () => Promise<void> | void = () => {},
): Promise<void> {
  await victim.kill();
  await sleep(awayMs);
  await whileAway();
  await startSurely(victim);
}

/** Every victim once, in an order that follows from the seed, before any of them a second time. */
export function inTurns<Named extends Victim>(
  victims: () => readonly Named[],
  random: (bound: number) => number,
): () => Named {
  let waiting: Named[] = [];
  return () => {
    const present = victims();
    waiting = waiting.filter((victim) => present.includes(victim));
    if (waiting.length === 0) waiting = [...present];
    const [victim] = waiting.splice(random(waiting.length), 1);
    if (victim === undefined) throw new Error('There is nobody to kill.');
    return victim;
  };
}

/** A start may fail while another process is away. A supervisor tries again. */
async function startSurely(victim: Victim): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await victim.start();
    } catch (error) {
      if (tries === startsMax) throw error;
      await sleep(1_000);
    }
  }
}
