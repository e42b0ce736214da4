import type { ProcessName, Reached } from './proxies/gate';

/** One order of a wave: its flow, and the boundary that holds it. */
export type Target = { flow: string; boundary: Reached };

/** Orders of any flows that are held at the same time, and what is killed then. */
export type Wave = { kills: readonly ProcessName[]; targets: Target[] };

/** Shuffles a list by the given numbers. */
export function shuffled<T>(items: readonly T[], random: (bound: number) => number): T[] {
  return items
    .map((item) => ({ item, at: random(2 ** 32) }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/**
 * Puts targets into waves. Targets of one wave are reached after about as long, so that orders
 * which are started together are held together.
 */
export function planWaves(
  targets: readonly Target[],
  how: { kills: readonly ProcessName[]; size: number; random: (bound: number) => number },
): Wave[] {
  const { kills, size, random } = how;
  const inTime = shuffled(targets, random).sort((one, other) => tensOfMs(one) - tensOfMs(other));
  const waves: Wave[] = [];
  for (let at = 0; at < inTime.length; at += size) {
    waves.push({ kills, targets: inTime.slice(at, at + size) });
  }
  return waves;
}

/** Coarse, so that the seed mixes flows and points within a wave. */
function tensOfMs({ boundary }: Target): number {
  return Math.round(boundary.atMs / 500);
}

/** Waves of boundaries by chance, in each of which two processes are killed at once. */
export function planPairs(
  targets: readonly Target[],
  how: {
    processes: readonly ProcessName[];
    count: number;
    size: number;
    random: (bound: number) => number;
  },
): Wave[] {
  const { processes, count, size, random } = how;
  const pairs = processes.flatMap((one, index) =>
    processes.slice(index + 1).map((other): [ProcessName, ProcessName] => [one, other]),
  );
  const order = shuffled(pairs, random);
  return Array.from({ length: targets.length === 0 ? 0 : count }, (_, index) => {
    const near = targets[random(targets.length)]?.boundary.atMs ?? 0;
    const nearest = [...targets].sort((one, other) => away(one, near) - away(other, near));
    const chosen = shuffled(nearest.slice(0, size * 3), random).slice(0, size);
    return { kills: order[index % order.length] ?? [], targets: chosen };
  });
}

function away({ boundary }: Target, atMs: number): number {
  return Math.abs(boundary.atMs - atMs);
}
