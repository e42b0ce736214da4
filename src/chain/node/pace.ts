import type { NodeClock } from './clock';

/** The pace of one node. All calls of this process to it share it. */
export type Pace = {
  /** Number of calls that may go in one request. */
  together(): number;
  /** Number of requests that may be under way. */
  atOnce(): number;
  /** The time from which on calls may go, by the node's clock. */
  opensMs(): number;
  /** So many calls go now. */
  took(calls: number): void;
  /** The node has answered so many calls of one request, and has refused others as too many. */
  told(answer: { answered: number; refused: number; retryAfterMs?: number | undefined }): void;
  /** Calls a second. Undefined while nothing is known of a limit. */
  perSecond(): number | undefined;
};

/** Nodes accept so many calls in one request (hosted-service facts, Arc testnet). */
const togetherMax = 100;
const atOnceMax = 8;
const [slowest, fastest] = [0.5, 1_000];
/** A pace just below what the node takes. */
const below = 0.97;
/** A node may refuse a request by chance. At this count and this share, it limits us. */
const [refusedMin, refusedPart] = [2.5, 0.15];
const [shortestMs, measuredMs] = [1_000, 5_000];
/** A time without a cut makes the pace a little faster, and the next one twice as much. */
const [growEveryMs, growthFirst, growthMax] = [10_000, 0.02, 0.5];
/** More than the node took at a cut is not tried again for this long. */
const ceilingMs = 120_000;
const [backoffMinMs, backoffMaxMs] = [50, 15_000];

/** Learns the pace of a node from its answers. It may begin with one that the node is known for. */
export function createPace(clock: NodeClock, first = Number.POSITIVE_INFINITY): Pace {
  let perSecond = first;
  let ceiling = Number.POSITIVE_INFINITY;
  let together = togetherMax;
  let [nextMs, cutMs, grownMs, growth] = [0, 0, 0, growthFirst];
  /** Requests in a row of which no call was answered. */
  let refusedInRow = 0;
  let told: { atMs: number; answered: number; refused: number }[] = [];

  const slowDown = (now: number): void => {
    const answered = told.reduce((all, one) => all + one.answered, 0);
    // A request counts once, however many calls it has.
    const shares = told.map((one) => one.refused / Math.max(1, one.answered + one.refused));
    const refused = shares.reduce((all, share) => all + share, 0);
    if (refused < refusedMin || refused < told.length * refusedPart) return;
    const lastedMs = Math.max(shortestMs, now - (told[0]?.atMs ?? now));
    const measured = Math.max(slowest, (answered * 1_000) / lastedMs);
    // A quiet time measures too little. So a pace is halved at most.
    const least = perSecond === Number.POSITIVE_INFINITY ? slowest : perSecond / 2;
    perSecond = Math.max(slowest, least, Math.min(perSecond, measured) * below);
    [cutMs, grownMs, growth, ceiling, told] = [now, now, growthFirst, measured, []];
  };
  const speedUp = (now: number): void => {
    if (perSecond === Number.POSITIVE_INFINITY || now - grownMs < growEveryMs) return;
    const most = now - cutMs < ceilingMs ? ceiling : fastest;
    perSecond = Math.max(perSecond, Math.min(most, perSecond * (1 + growth)));
    together = Math.min(togetherMax, together + 1);
    [grownMs, growth] = [now, Math.min(growthMax, growth * 2)];
  };

  return {
    together: () => Math.max(1, Math.min(together, Math.floor(perSecond))),
    atOnce: () => Math.max(1, Math.min(atOnceMax, Math.ceil(perSecond / 5))),
    perSecond: () => (perSecond === Number.POSITIVE_INFINITY ? undefined : perSecond),
    opensMs: () => nextMs,
    took(calls) {
      nextMs = clock.now() + (1_000 * calls) / perSecond;
    },
    told({ answered, refused, retryAfterMs }) {
      const now = clock.now();
      told = told.filter(({ atMs }) => now - atMs < measuredMs);
      told.push({ atMs: now, answered, refused });
      if (answered > 0) refusedInRow = 0;
      if (refused === 0) return speedUp(now);
      slowDown(now);
      together = Math.max(1, answered > 0 ? Math.min(together, answered) : Math.ceil(together / 2));
      if (answered === 0) refusedInRow += 1;
      const turnMs = Math.max(backoffMinMs, 1_000 / perSecond);
      const waitMs = Math.min(backoffMaxMs, turnMs * 2 ** Math.max(0, refusedInRow - 1));
      nextMs = Math.max(nextMs, now + (retryAfterMs ?? waitMs));
    },
  };
}
