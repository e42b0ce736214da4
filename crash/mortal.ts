import type { Child } from '../src/childProcess';

/**
 * A process that may be killed at any moment and started again. Its address and what it has stored
 * stay the same, so whoever uses it sees a service that was away for a while.
 */
export type Mortal = {
  name: string;
  /** Starts it unless it runs already; resolves once it serves. */
  start(): Promise<void>;
  /**
   * SIGKILL, even while it still starts (Temporal: as soon as it has started); resolves once it is
   * gone. Nothing when it is not there.
   */
  kill(): Promise<void>;
  /** SIGTERM, as a deployment does it; resolves once it is gone, or was killed after the grace. */
  stop(graceMs: number): Promise<void>;
  /** Resolves once the newest process serves; rejects when that one ends before it does. */
  ready(): Promise<void>;
  /** Leader of the process group, a shell whose child is the program; undefined while it is away. */
  pid(): Promise<number | undefined>;
};

/** A process that was begun: known at once or a little later, and serving later still. */
export type Launched = { child: Promise<Child>; served: Promise<unknown> };

/** Makes a process mortal; `onEnd` hears of an end that was no kill. */
export function mortal(
  name: string,
  launch: () => Launched,
  onEnd: ((name: string, lastLines: string[]) => void) | undefined,
): Mortal {
  let running: Launched | undefined;
  const begin = (): Launched => {
    const launched = launch();
    // Whoever waits for it hears of it; a kill is no fault that nobody has handled.
    launched.served.catch(() => {});
    const ended = async (): Promise<void> => {
      const child = await launched.child;
      await child.exited;
      if (running !== launched) return;
      running = undefined;
      // Whoever started it hears of one that never served.
      const served = await launched.served.then(
        () => true,
        () => false,
      );
      if (served) onEnd?.(name, child.lastLines());
    };
    ended().catch(() => {});
    return launched;
  };
  return {
    name,
    start: async () => {
      running ??= begin();
      const started = running;
      await started.served.catch(async (error) => {
        // Whoever tries again gets another one, and this one has to be out of its way.
        if (running === started) running = undefined;
        await (await started.child.catch(() => undefined))?.kill();
        throw error;
      });
    },
    kill: async () => {
      const killed = running;
      running = undefined;
      const child = await killed?.child.catch(() => undefined);
      await child?.kill();
    },
    stop: async (graceMs) => {
      const stopped = running;
      running = undefined;
      const child = await stopped?.child.catch(() => undefined);
      await child?.stop(graceMs);
    },
    ready: async () => {
      if (running === undefined) throw new Error(`${name} is not there: start it first.`);
      await running.served;
    },
    pid: async () => (await running?.child.catch(() => undefined))?.pid,
  };
}
