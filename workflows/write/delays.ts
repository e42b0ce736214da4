/** Delays between looks at money in flight: quick while it normally settles, then ever slower. */
const settleDelaysMs = [
  2_500, 2_500, 2_000, 2_500, 3_000, 3_500, 4_500, 5_500, 7_000, 9_000, 12_000, 15_000, 20_000,
  30_000,
] as const;
const steadyLooks = 24;
const slowDelaysMs = [60_000, 120_000] as const;
const slowestDelayMs = 300_000;

/**
 * How long to wait before look number `look` (from 1). Most transactions settle in 2 to 30 s, so
 * the first minutes are dense: from 5 s on a look comes some 15 % of the settle time after the
 * settling. Later a look every five minutes goes on for ever: money in flight is never given up.
 */
export function settleDelayMs(look: number): number {
  const index = look - 1;
  const lastQuick = settleDelaysMs[settleDelaysMs.length - 1] ?? slowestDelayMs;
  if (index < settleDelaysMs.length) return settleDelaysMs[index] ?? lastQuick;
  if (index < steadyLooks) return lastQuick;
  return slowDelaysMs[index - steadyLooks] ?? slowestDelayMs;
}

/** How long to wait before trying again what a person has to mend, or before looking at it anew. */
export function operatorDelayMs(look: number): number {
  return Math.min(5_000 * 2 ** Math.min(look - 1, 10), slowestDelayMs);
}

/** How long to wait before trying again what passes by itself, and between looks for a write. */
export function troubleDelayMs(look: number): number {
  return Math.min(1_000 * 2 ** Math.min(look - 1, 10), 60_000);
}

const hourMs = 3_600_000;

/** The same, once a person has been asked: it may still turn up by itself. */
export function parkedDelayMs(look: number): number {
  return Math.min(slowestDelayMs * 2 ** Math.min(look - 1, 10), hourMs);
}
