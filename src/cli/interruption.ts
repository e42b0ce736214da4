/** Why we stop waiting before an order has ended. */
export type StopReason = 'interrupted' | 'timeout';

export type Interruption = {
  /** Resolves at Ctrl-C, a SIGTERM, or when the time is up; never rejects. */
  stopped: Promise<StopReason>;
  /** Stops after this long. */
  after(timeoutMs: number): void;
};

/**
 * Turns Ctrl-C into a promise, so that leaving is a way out like any other and can be explained.
 */
export function interruption(): Interruption {
  let stop: (reason: StopReason) => void = () => {};
  const stopped = new Promise<StopReason>((resolve) => {
    stop = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop('interrupted'));
  }
  return {
    stopped,
    after: (timeoutMs) => {
      setTimeout(() => stop('timeout'), timeoutMs);
    },
  };
}
