import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from '../../../test/support/seeded';
import { inTurns, killAndStart } from '../../kill/kills';
import type { Mortal } from '../../kill/mortal';

type KillOptions = {
  seed: number;
  /** The processes that may be killed now. The soak spares some of them for a while. */
  victims: () => readonly Mortal[];
  isOver: () => boolean;
  /** Nobody else kills or starts a process meanwhile. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called before a kill, and after the killed one serves again. */
  before: (victim: Mortal) => Promise<void>;
  after: (victim: Mortal) => Promise<void>;
  /** Called while a victim is away. */
  whileAway: (victim: Mortal) => Promise<void>;
};

const calmMs = { least: 1_500, spread: 5_000 };
const awayMsMax = 2_000;
/** The share of kills that hit two processes at once. */
const pairsPercent = 20;

/**
 * Kills one process, or two, lets them be away for a moment, starts them, and does it again after a
 * while. Returns how often each was killed. Whom and when follows from the seed.
 */
export async function killAgainAndAgain(options: KillOptions): Promise<Map<string, number>> {
  const random = seeded(options.seed);
  const kills = new Map<string, number>();
  const kill = async (victim: Mortal, awayMs: number): Promise<void> => {
    await options.before(victim);
    kills.set(victim.name, (kills.get(victim.name) ?? 0) + 1);
    await killAndStart(victim, awayMs, () => options.whileAway(victim));
    await options.after(victim);
  };
  const next = inTurns(options.victims, random);
  for (;;) {
    await calm(calmMs.least + random(calmMs.spread), options.isOver);
    const awayMs = random(awayMsMax);
    const isPair = random(100) < pairsPercent;
    if (options.isOver()) return kills;
    const chosen = new Set(isPair ? [next(), next()] : [next()]);
    // A chain is built by its sandbox, so that it has nobody to wait for while that is away.
    const isSandboxAway = [...chosen].some(({ name }) => name === 'sandbox');
    const killed = [...chosen].filter(({ name }) => name !== 'chain' || !isSandboxAway);
    await options.inTurn(() => Promise.all(killed.map((victim) => kill(victim, awayMs))));
  }
}

/** Waits, but not beyond the end. */
async function calm(timeMs: number, isOver: () => boolean): Promise<void> {
  for (const endMs = Date.now() + timeMs; Date.now() < endMs && !isOver(); ) await sleep(100);
}
