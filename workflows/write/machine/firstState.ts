import { newWrite, type WriteState } from './writeState';

/** The state that earlier runs of an order left of its writes. */
export type Left = {
  /** Earliest time of a first attempt under this order's keys. */
  bornAtMs: number;
  /** When the first run began that Temporal knows. Undefined: it knows none. */
  ranSinceMs?: number | undefined;
  /** Writes in the write logs of earlier runs: "<step>/<item>#<generation>". */
  writes: Record<string, WriteState['tries']>;
  /** State of every other write. */
  others: WriteState['tries'];
  /** The highest generation of each write that they may have sent. Undefined: not known. */
  generations?: Record<string, number>;
};

/** A write before its first event in a run. A run that was reset may have sent it before. */
export function firstState(
  { path, generation }: { path: string; generation: number },
  earlier: Left,
  { isForgotten, nowMs }: { isForgotten: boolean; nowMs: number },
): WriteState {
  const { generations } = earlier;
  const others = isForgotten ? 'ambiguous' : earlier.others;
  const isNext = !isForgotten && generations && generation > (generations[path] ?? 0);
  const triesOf = (at: number) => earlier.writes[`${path}#${at}`] ?? 'clean';
  const tries = others === 'ambiguous' && !isNext ? others : triesOf(generation);
  const lower = Array.from({ length: generation }, (_, at) => triesOf(at));
  const isSuspect = (isNext && others === 'ambiguous') || lower.includes('ambiguous');
  return newWrite({
    generation,
    tries,
    knownAtMs: tries === 'clean' ? nowMs : earlier.bornAtMs,
    ...(isForgotten ? { isForgotten } : {}),
    ...(isSuspect ? { isSuspect } : {}),
  });
}
