/**
 * Reads once in a while, however many ask. Who asks meanwhile gets the last answer, or waits for
 * it. A failure is kept as long, so that nothing that is away is asked more often.
 */
export function atMostEvery<Told>(
  ms: number,
  read: () => Promise<Told>,
  now: () => number = Date.now,
): () => Promise<Told> {
  let last: { told: Promise<Told>; untilMs: number } | undefined;
  return () => {
    if (last !== undefined && now() < last.untilMs) return last.told;
    const own = { told: read(), untilMs: Number.POSITIVE_INFINITY };
    const settled = (): void => {
      own.untilMs = now() + ms;
    };
    own.told.then(settled, settled);
    last = own;
    return own.told;
  };
}
