/** A timer of Node that is longer, some 24 days, ends at once. */
const timerMsMax = 2 ** 31 - 1;

/** The reason to stop waiting before an order has ended. */
export type StopReason = 'interrupted' | 'timeout';

export type Interruption = {
  /** Resolves at Ctrl-C, at a SIGTERM, or when the time is up. It never rejects. */
  stopped: Promise<StopReason>;
  after(timeoutMs: number): void;
  /** Leaves signals to others again. */
  end(): void;
};

/** The terminal and npm may send one signal twice, but not this far apart. */
const repeatMs = 1_000;
const interruptedExitCode = 130;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns Ctrl-C into a promise, so that a command can say what leaving means. */
export function interruption(): Interruption {
  let stop: (reason: StopReason) => void = () => {};
  const stopped = new Promise<StopReason>((resolve) => {
    stop = resolve;
  });
  let firstAtMs: number | undefined;
  const interrupt = (): void => {
    firstAtMs ??= Date.now();
    stop('interrupted');
    // npm repeats the first Ctrl-C at once. A later one comes from a person who wants to leave now.
    if (Date.now() - firstAtMs > repeatMs) process.exit(interruptedExitCode);
  };
  let timer: NodeJS.Timeout | undefined;
  for (const signal of signals) process.on(signal, interrupt);
  return {
    stopped,
    after: (timeoutMs) => {
      timer = setTimeout(() => stop('timeout'), Math.min(timeoutMs, timerMsMax));
    },
    end: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
