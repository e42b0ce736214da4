import { setTimeout as sleep } from 'node:timers/promises';
import type { Mortal } from '../crash/mortal';
import { seeded } from '../test/support/seeded';

export type KillOptions = {
  seed: number;
  /** Who may be killed now; the soak spares some of them for a while. */
  victims: () => readonly Mortal[];
  isOver: () => boolean;
  /** Called before a kill, and after the killed one serves again. */
  before: (victim: Mortal) => Promise<void>;
  after: (victim: Mortal) => Promise<void>;
};

const calmMs = { least: 1_500, spread: 5_000 };
const awayMsMax = 2_000;
const startsMax = 5;
/** Of a hundred kills, how many hit two processes at once. */
const pairsPercent = 20;

/**
 * Kills one process, or two, lets them be away for a moment, starts them, and does it again after a
 * while. Returns how often each was killed. Whom and when follows from the seed.
 */
export async function killAgainAndAgain(options: KillOptions): Promise<Map<string, number>> {
  const random = seeded(options.seed);
  const kills = new Map<string, number>();
  const killAndStart = async (victim: Mortal, awayMs: number): Promise<void> => {
    await options.before(victim);
    await victim.kill();
    kills.set(victim.name, (kills.get(victim.name) ?? 0) + 1);
    await sleep(awayMs);
    await startSurely(victim);
    await options.after(victim);
  };
  for (;;) {
    await calm(calmMs.least + random(calmMs.spread), options.isOver);
    const victims = [...options.victims()];
    const first = random(1_000_003);
    const second = random(1_000_003);
    const isPair = random(100) < pairsPercent;
    const awayMs = random(awayMsMax);
    if (options.isOver()) return kills;
    const chosen = [take(victims, first), ...(isPair ? [take(victims, second)] : [])];
    // A chain is built by its sandbox, so that it has nobody to wait for while that is away.
    const alone = chosen.some(({ name }) => name === 'sandbox')
      ? chosen.filter(({ name }) => name !== 'chain')
      : chosen;
    await Promise.all(alone.map((victim) => killAndStart(victim, awayMs)));
  }
}

/** A start may fail where what it needs is away at that moment; a supervisor tries again. */
async function startSurely(victim: Mortal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await victim.start();
    } catch (error) {
      if (tries === startsMax) throw error;
      await sleep(1_000);
    }
  }
}

function take(victims: Mortal[], number: number): Mortal {
  const [victim] = victims.splice(number % victims.length, 1);
  if (victim === undefined) throw new Error('There is nobody left to kill.');
  return victim;
}

/** Waits, but not beyond the end. */
async function calm(timeMs: number, isOver: () => boolean): Promise<void> {
  for (const endMs = Date.now() + timeMs; Date.now() < endMs && !isOver(); ) await sleep(100);
}
