/** Why we stop waiting before an order has ended. */
export type StopReason = 'interrupted' | 'timeout';

export type Interruption = {
  /** Resolves at Ctrl-C, a SIGTERM, or when the time is up; never rejects. */
  stopped: Promise<StopReason>;
  /** Stops after this long. */
  after(timeoutMs: number): void;
};

/** A signal may reach us twice, from the terminal and from npm, but not this far apart. */
const repeatMs = 1_000;
const interruptedExitCode = 130;

/**
 * Turns Ctrl-C into a promise, so that leaving is a way out like any other and can be explained.
 */
export function interruption(): Interruption {
  let stop: (reason: StopReason) => void = () => {};
  const stopped = new Promise<StopReason>((resolve) => {
    stop = resolve;
  });
  let firstAtMs: number | undefined;
  const interrupt = (): void => {
    firstAtMs ??= Date.now();
    stop('interrupted');
    // Who presses again while it stops has had enough; npm only repeats what the terminal sent.
    if (Date.now() - firstAtMs > repeatMs) process.exit(interruptedExitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  return {
    stopped,
    after: (timeoutMs) => {
      setTimeout(() => stop('timeout'), timeoutMs);
    },
  };
}
