import type { Child } from '../../src/local/childProcess';

/**
 * A process that may be killed at any moment and started again. Its address and its data stay the
 * same, so its clients see a service that was away for a while.
 */
export type Mortal = {
  name: string;
  /** Starts it unless it runs already. Resolves once it serves. */
  start(): Promise<void>;
  /**
   * Sends SIGKILL, even while the process starts (Temporal: as soon as it has started). Resolves
   * once the process is gone. Does nothing when it is not there.
   */
  kill(): Promise<void>;
  /**
   * Sends SIGTERM, as a deployment does. Resolves once the process has ended, or was killed after
   * the grace period.
   */
  stop(graceMs: number): Promise<void>;
  /** Resolves once the newest process serves. Rejects when that process ends before it does. */
  ready(): Promise<void>;
  /**
   * The leader of the process group: a shell whose child is the program. Undefined while it is
   * away.
   */
  pid(): Promise<number | undefined>;
};

/** A process that was launched: known now or a little later, and serving later still. */
export type Launched = { child: Promise<Child>; served: Promise<unknown> };

/** Makes a process mortal. `onEnd` is called at an end that was no kill. */
export function mortal(
  name: string,
  launch: () => Launched,
  onEnd: ((name: string, lastLines: string[]) => void) | undefined,
): Mortal {
  let running: Launched | undefined;
  const begin = (): Launched => {
    const launched = launch();
    // The caller of `ready` receives the error. A kill is no unhandled rejection.
    launched.served.catch(() => {});
    const ended = async (): Promise<void> => {
      const child = await launched.child;
      await child.exited;
      if (running !== launched) return;
      running = undefined;
      // The caller of `start` receives the error of a process that never served.
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
        // The next start makes a new process, so this one must not be in its way.
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
